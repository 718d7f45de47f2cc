// Finds the hosts that a person names in a text. Pure.

/** Addresses with http or https, and bare names such as example.org. Drops `www.`, because it means the whole site. */
export function hostsIn(text: string): readonly string[] {
  const addresses = text.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? [];
  const names = text
    .split(/[^\p{L}\p{N}.-]+/u)
    .map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, ''))
    .filter((word) => word.length <= longestName && /\.\p{L}{2,}$/u.test(word) && !fileEnding.test(word));
  return [...new Set([...addresses, ...names.map((name) => `http://${name}`)].flatMap(hostOf))];
}

const longestName = 253;
/** Endings of files that are also domains: somebody who mentions readme.md doesn't mean a server. */
const fileEnding = /\.(md|py|rs|sh|pl|ps|cc|so|zip|mov)$/i;

function hostOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  return [new URL(address).hostname.toLowerCase().replace(/^www\./, '')];
}
