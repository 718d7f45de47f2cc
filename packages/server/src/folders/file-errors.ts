// Turns errors of the operating system into sentences for the model and the person.
import { ParleyError } from '@parley/protocol';

export function errorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** `path` is what the sentence calls the file. Errors that already have a sentence pass unchanged. */
export function toFileError(thrown: unknown, path: string): unknown {
  if (thrown instanceof ParleyError) return thrown;
  const named = path === '' ? 'The folder' : `"${path}"`;
  switch (errorCode(thrown)) {
    case 'ENOENT':
      return new ParleyError('not_found', `${named} does not exist.`, { cause: thrown });
    case 'ENOTDIR':
      return new ParleyError('invalid', `A part of ${named} is a file, not a folder.`, { cause: thrown });
    case 'EISDIR':
    case 'ENOTEMPTY':
    case 'EEXIST':
      return new ParleyError('invalid', `${named} is a folder, not a file.`, { cause: thrown });
    case 'ELOOP':
    case 'EMLINK':
      return new ParleyError('forbidden', `${named} is a link. Links are not followed.`, { cause: thrown });
    case 'ENXIO':
      return new ParleyError('forbidden', `${named} is not a regular file.`, { cause: thrown });
    case 'ENAMETOOLONG':
      return new ParleyError('invalid', `The path ${named} is too long.`, { cause: thrown });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ParleyError('forbidden', `Parley has no permission to do this with ${named}.`, {
        cause: thrown,
      });
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new ParleyError('unavailable', `The disk is full. ${named} was not changed.`, { cause: thrown });
    case 'EMFILE':
    case 'ENFILE':
      return new ParleyError('unavailable', 'Too many files are open right now. Try again.', {
        cause: thrown,
      });
    default:
      return thrown;
  }
}
