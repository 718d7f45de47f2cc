// The one client of the page: every request and the live connection go through it.
import { createClient, pageEnvironment } from '@parley/client';

export const client = createClient({
  // The app may live below a sub-path.
  baseUrl: document.baseURI,
  // The server then shows its login form, which leads back to this page.
  onUnauthorized: () => location.reload(),
  environment: pageEnvironment(window),
});

export const { address, request, get, send } = client;
