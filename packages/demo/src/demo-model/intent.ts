// An intent is one thing that the demo model can do. It is called again after every tool result of the turn and decides
// what comes next from what is done so far, so it stays a pure function.
import type { ReplyPart } from '../anthropic/reply.ts';
import type { Scene } from './scene.ts';

export type Intent = {
  readonly name: string;
  /** A message that this intent understands, shown when somebody asks what the model can do. */
  readonly example: string;
  /** Groups of tools. The intent is skipped unless at least one tool of each group is offered. */
  readonly needs: readonly (readonly string[])[];
  /** Returns undefined if the person asked for something else. */
  next(scene: Scene): readonly ReplyPart[] | undefined;
};
