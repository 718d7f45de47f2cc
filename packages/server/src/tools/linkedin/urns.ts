// LinkedIn names everything by URN. They are checked before use, because they become part of an address. Pure.
import { ParleyError } from '@parley/protocol';

const post = /^urn:li:(share|ugcPost|activity):\d{1,25}$/;
const comment = /^urn:li:comment:\((urn:li:(?:share|ugcPost|activity):\d{1,25}),\d{1,25}\)$/;
export const personUrn = /^urn:li:person:[\w-]{1,64}$/;

export function checkPostUrn(urn: string): string {
  if (post.test(urn)) return urn;
  throw new ParleyError(
    'invalid',
    'post_urn is not the URN of a LinkedIn post. It looks like urn:li:share:7012345678901234567.',
  );
}

export function checkCommentUrn(urn: string): string {
  if (comment.test(urn)) return urn;
  throw new ParleyError(
    'invalid',
    'comment_urn is not the URN of a comment. It looks like urn:li:comment:(urn:li:activity:7012345678901234567,7012345678901234568).',
  );
}

/** For use in a path. Also encodes parentheses, which `encodeURIComponent` doesn't. */
export function encodeUrn(urn: string): string {
  return encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29');
}
