// An intent is one thing that the demo mind can be asked for. It is asked again after every tool result
// of the turn and says each time, from what is done so far, what comes next: so it stays a pure function.
import type { ReplyPart } from '../anthropic/reply.ts';
import type { Scene } from './scene.ts';

export type Intent = {
  readonly name: string;
  /** Something to say that this intent understands, shown when somebody asks what the mind can do. */
  readonly example: string;
  /** The names of the tools it cannot do without, any one of each group. Without them it is passed over. */
  readonly needs: readonly (readonly string[])[];
  /** Undefined when the person asked for something else. */
  next(scene: Scene): readonly ReplyPart[] | undefined;
};
