// Where a value of the configuration came from.

export type Origin =
  | { readonly from: 'default' }
  | { readonly from: 'demo' }
  | { readonly from: 'file'; readonly name: string }
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'flag'; readonly name: string };

/** The place in words, as it stands in messages and tables. */
export function originText(origin: Origin): string {
  switch (origin.from) {
    case 'default':
      return 'default';
    case 'demo':
      return 'demo mode';
    case 'file':
    case 'environment':
      return origin.name;
    case 'flag':
      return `--${origin.name}`;
    default:
      return origin satisfies never;
  }
}
