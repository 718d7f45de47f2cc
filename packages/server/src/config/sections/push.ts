// Notifications to devices on which no page is open.
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { hostWithPort } from './values.ts';

export const push = {
  push: section({
    allowedHosts: setting(z.array(hostWithPort()).default([]), {
      meaning:
        'Push services of your own that are not on the public Internet, each as an exact `host:port`. Browsers say which service they use; all others must be public.',
      hint: 'Use a lowercase host and a port, such as push.local:8080.',
    }),
  }),
};
