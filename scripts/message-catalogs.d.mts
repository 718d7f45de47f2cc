export function updateCatalogs(
  packages: string,
  options: { readonly checking: boolean },
): { readonly problems: readonly string[]; readonly count: number };
