// An intent is one thing that the demo model can do. It is called again after every tool result of the turn and decides
// what comes next from what is done so far, so it stays a pure function.
import type { ReplyPart } from '../anthropic/reply.ts';
import type { Scene } from './scene.ts';

export type Intent = {
  readonly name: string;
  /** A message that this intent understands, shown when somebody asks what the model can do. */
  readonly example: string;
  /** The tools that it needs, at least one of each group. Without them it is skipped. */
  readonly needs: readonly (readonly string[])[];
  /** Returns undefined if the person asked for something else. */
  next(scene: Scene): readonly ReplyPart[] | undefined;
};
