// The script of the login and invitation pages: passkeys, and accepting an invitation. The login form works without it.

/** Plain JavaScript for browsers, sent as it is. Texts for people come from the page. */
export const pageScript = `
const form = document.querySelector('form');
const base = document.documentElement.dataset.base;
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const withIds = (list) => (list ?? []).map((entry) => ({ ...entry, id: bytes(entry.id) }));

async function send(path, body) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error?.message);
  return answer;
}

async function createPasskey(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: withIds(options.excludeCredentials),
    },
  });
  const { response } = credential;
  return toJson(credential, {
    attestationObject: text(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

async function usePasskey(options) {
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: withIds(options.allowCredentials),
    },
  });
  const { response } = credential;
  return toJson(credential, {
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    userHandle: response.userHandle ? text(response.userHandle) : undefined,
  });
}

/** Not every browser has \`toJSON\`. */
function toJson(credential, response) {
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { clientDataJSON: text(credential.response.clientDataJSON), ...response },
  };
}

const shown = (id, isShown = true) => { document.getElementById(id).hidden = !isShown; };

/** Runs what a button does, one at a time, and shows what went wrong. */
async function attempt(work, dismissed) {
  const buttons = [...document.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  shown('problem', false);
  try {
    await work();
  } catch (error) {
    // Browsers report the same error if somebody cancels and if there is no passkey.
    const isDismissed = error.name === 'NotAllowedError' || error.name === 'AbortError';
    document.getElementById('problem').textContent =
      (isDismissed ? dismissed : error.name === 'TypeError' ? undefined : error.message) || form.dataset.failed;
    shown('problem');
  }
  for (const button of buttons) button.disabled = false;
}

const hasPasskeys = window.isSecureContext && window.PublicKeyCredential !== undefined;
const passkey = document.getElementById('passkey');
const secret = location.hash.slice(1);

if (form.id === 'log-in' && passkey && hasPasskeys) {
  shown('passkey');
  passkey.addEventListener('click', () => attempt(async () => {
    const response = await usePasskey(await send('/login/passkey/options'));
    await send('/login/passkey', { response });
    location.assign(base + form.elements.next.value);
  }, form.dataset.dismissed));
}

if (form.id === 'invitation') {
  const enter = () => location.replace(base + '/');
  try {
    const found = await send('/api/invitations/find', { secret });
    document.getElementById('person').value = found.person;
    document.getElementById('hello').textContent = form.dataset.hello.replace('NAME', found.person);
    shown('passkey', found.passkeysWork && hasPasskeys);
    if (found.openId !== null) shown('openid');
    shown('choices');
  } catch {
    document.getElementById('hello').textContent = form.dataset.gone;
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(async () => {
      await send('/api/invitations/accept', { secret, password: form.elements.password.value });
      enter();
    });
  });
  passkey.addEventListener('click', () => attempt(async () => {
    const response = await createPasskey(await send('/api/invitations/passkey', { secret }));
    await send('/api/invitations/accept', { secret, passkey: { name: form.dataset.first, response } });
    enter();
  }, form.dataset.dismissed));
  document.getElementById('openid')?.addEventListener('click', () => attempt(async () => {
    location.assign((await send('/api/invitations/openid', { secret })).url);
  }));
}
`;
