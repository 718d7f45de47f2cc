// Shared by the other examples: requests to Parley, and its two kinds of streams.
const { PARLEY_URL = 'http://127.0.0.1:4710', PARLEY_API_KEY, PARLEY_PERSON = 'sebastian' } = process.env;

export const url = PARLEY_URL;
export const credentials = { 'X-API-Key': PARLEY_API_KEY, 'X-Notes-Person': PARLEY_PERSON };

/** Sends a POST if there is a body. Throws Parley's error message if the request fails. */
export async function call(path, { body, headers, ...options } = {}) {
  const response = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...credentials, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...options,
  });
  if (response.ok) return response;
  const failure = await response.json();
  throw new Error(`${response.status}: ${failure.error?.message ?? failure.message}`);
}

/** Reads a stream of JSON lines, as the notes assistant sends it. */
export async function* lines(response) {
  for await (const line of parts(response, '\n')) yield JSON.parse(line);
}

/** Reads a stream of server-sent events. Some have no data: they only carry the id to resume from. */
export async function* events(response) {
  for await (const block of parts(response, '\n\n')) {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
    if (fields.id) yield { id: fields.id, event: fields.event, data: fields.data && JSON.parse(fields.data) };
  }
}

async function* parts(response, end) {
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const complete = (rest + text).split(end);
    rest = complete.pop();
    yield* complete;
  }
}
