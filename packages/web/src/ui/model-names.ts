// The everyday name of a model.

/** `Opus 5.5` for `claude-opus-5-5-20260101`. Other ids are returned unchanged. */
export function modelName(id: string): string {
  const match = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?(?:\[.*\])?$/.exec(id);
  if (!match) return id;
  const [, family = '', major = '', minor] = match;
  return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${minor === undefined ? major : `${major}.${minor}`}`;
}
