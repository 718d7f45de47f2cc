// Notifications to devices on which no page is open.
import { z } from 'zod';
import { section, setting } from '../setting.ts';

export const push = {
  push: section({
    allowedHosts: setting(
      z.array(z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/, 'expected host:port')).default([]),
      {
        meaning:
          'Push services of your own that are not on the public Internet, each as an exact `host:port`. Browsers say which service they use; all others must be public.',
        hint: 'Use a lowercase host and a port, such as push.local:8080.',
      },
    ),
  }),
};
