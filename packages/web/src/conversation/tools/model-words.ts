// Results that explain to the model what a person did. The person doesn't need the explanation.

/** The program writes these when a turn is stopped during a call, or before somebody decides on it. */
export function wasStopped(result: string): boolean {
  return (
    /\[Request interrupted by user[^\]]*\]\s*$/.test(result) ||
    /^The user doesn't want to (proceed with this tool use|take this action right now)\b/.test(result) ||
    /^The (turn|request) (was|ended|is)\b.* before anybody decided\.$/.test(result)
  );
}

/** Nobody wrote it: it only says that the call was refused or stopped. */
export function isForModel(result: string): boolean {
  return result === 'The person declined without giving a reason.' || wasStopped(result);
}
