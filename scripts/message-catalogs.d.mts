export function updateCatalogs(
  web: string,
  options: { readonly checking: boolean },
): { readonly problems: readonly string[]; readonly count: number };
