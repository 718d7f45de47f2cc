// Things that `claude` does together with a person: questions with options, plans to approve, todo lists, subagents.
import { type ReplyPart, sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, sorry } from '../phrasing.ts';
import { firstLines } from '../reading.ts';
import type { Scene } from '../scene.ts';
import { call, callsTo, lastCall, offers } from '../tool-calls.ts';

const question = 'Which color should the demo use?';

const askQuestion: Intent = {
  name: 'ask a question',
  example: 'Ask me a question',
  needs: [['AskUserQuestion']],
  next(scene) {
    if (!/\bask me\b/i.test(scene.said)) return undefined;
    const asked = lastCall(scene, 'AskUserQuestion');
    if (asked === undefined) {
      const options = [
        { label: 'Green', description: 'Calm, like a garden' },
        { label: 'Blue', description: 'Clear, like the sea' },
        { label: 'Orange', description: 'Warm, like a kitchen' },
      ];
      return [
        call(scene, 'AskUserQuestion', {
          questions: [{ question, header: 'Color', multiSelect: false, options }],
        }),
      ];
    }
    if (asked.failed) return [sayInWords("All right, I'll continue without an answer.")];
    const answer = /=\s*"([^"]+)"/.exec(asked.result)?.[1];
    return [
      sayInWords(
        answer === undefined ? `You answered: ${firstLines(asked.result, 3)}` : `${answer} it is. Thank you!`,
      ),
    ];
  },
};

const plan = `# Plan

1. Look at what's there.
2. Make the smallest change that helps.
3. Check that everything still works.
`;

const makePlan: Intent = {
  name: 'make a plan',
  example: 'Make a plan',
  needs: [['ExitPlanMode']],
  next(scene) {
    const planning =
      /Plan mode is active|Entered plan mode/.test(scene.briefing) ||
      lastCall(scene, 'EnterPlanMode') !== undefined;
    if (!/\bplan\b/i.test(scene.said)) return undefined;
    const left = lastCall(scene, 'ExitPlanMode');
    if (left?.failed === true)
      return [
        sayInWords(`The plan wasn't approved, so I won't change anything. ${firstLines(left.result, 2)}`),
      ];
    if (left !== undefined)
      return [
        sayInWords(
          'The plan is approved. This is a demo, so I stop here: there is nothing real to carry out.',
        ),
      ];
    if (!planning && offers(scene, 'EnterPlanMode')) return [call(scene, 'EnterPlanMode')];
    const file_path = /create your plan at (\S+) using|plan file already exists at (\S+?)[.\s]/
      .exec(scene.briefing)
      ?.slice(1)
      .find(Boolean);
    if (file_path !== undefined && offers(scene, 'Write') && lastCall(scene, 'Write') === undefined) {
      return [sayInWords(plan), call(scene, 'Write', { file_path, content: plan })];
    }
    return [...(file_path === undefined ? [sayInWords(plan)] : []), call(scene, 'ExitPlanMode', { plan })];
  },
};

const todos = [
  { content: 'Gather the ingredients', activeForm: 'Gathering the ingredients' },
  { content: 'Mix the dough', activeForm: 'Mixing the dough' },
  { content: 'Bake the bread', activeForm: 'Baking the bread' },
] as const;

const makeTodos: Intent = {
  name: 'make a todo list',
  example: 'Make a todo list',
  needs: [],
  next(scene) {
    if (!/\bto-?do\b.*\blist\b|\btask list\b/i.test(scene.said)) return undefined;
    const failed = scene.done.find((done) => done.failed);
    if (failed !== undefined) return [sorry("I couldn't save the todo list", failed)];
    if (offers(scene, 'TodoWrite')) return writeTodos(scene);
    if (offers(scene, 'TaskCreate')) return createTasks(scene);
    const list = todos.map((todo) => `[ ] ${todo.content}`);
    return [
      sayInWords(`This session has no tool for todo lists, so here is one as text:\n\n${bullets(list)}`),
    ];
  },
};

const delegate: Intent = {
  name: 'delegate to a subagent',
  example: 'Delegate to a subagent',
  needs: [['Agent', 'Task']],
  next(scene) {
    if (!/\bsub-?agent\b|\bdelegate\b/i.test(scene.said)) return undefined;
    const report = /<result>([\s\S]*?)<\/result>/.exec(scene.notice ?? '')?.[1];
    if (report !== undefined) return [sayInWords(`The subagent reports:\n\n${firstLines(report, 20)}`)];
    const name = offers(scene, 'Agent') ? 'Agent' : 'Task';
    const delegated = lastCall(scene, 'Agent', 'Task');
    if (delegated === undefined) {
      const task = {
        description: 'List the files',
        prompt: 'List the files',
        subagent_type: 'general-purpose',
      };
      return [call(scene, name, task)];
    }
    if (delegated.failed) return [sorry("The subagent couldn't start", delegated)];
    if (/launched/i.test(delegated.result))
      return [sayInWords('A subagent is working on that now and will report when it is done.')];
    return [sayInWords(`The subagent reports:\n\n${firstLines(delegated.result, 20)}`)];
  },
};

export const togetherIntents: readonly Intent[] = [askQuestion, makeTodos, makePlan, delegate];

/** Writes the list twice, the second time with the first item done, so that people see it change. */
function writeTodos(scene: Scene): readonly ReplyPart[] {
  const writes = callsTo(scene.done, 'TodoWrite').length;
  if (writes >= 2)
    return [sayInWords('The list has three things to do; the first is done and the second is in progress.')];
  const statuses =
    writes === 0 ? ['in_progress', 'pending', 'pending'] : ['completed', 'in_progress', 'pending'];
  return [call(scene, 'TodoWrite', { todos: todos.map((todo, at) => ({ ...todo, status: statuses[at] })) })];
}

function createTasks(scene: Scene): readonly ReplyPart[] {
  const created = callsTo(scene.done, 'TaskCreate');
  if (created.length === 0) {
    return distinct(
      todos.map(({ content, activeForm }) =>
        call(scene, 'TaskCreate', { subject: content, description: content, activeForm }),
      ),
    );
  }
  const first = /#?(\d+)/.exec(created[0]?.result ?? '')?.[1];
  if (first !== undefined && offers(scene, 'TaskUpdate') && lastCall(scene, 'TaskUpdate') === undefined) {
    return [call(scene, 'TaskUpdate', { taskId: first, status: 'completed' })];
  }
  return [sayInWords('The list has three things to do, and the first is done.')];
}

/** While the tool isn't loaded, each call becomes the same request to load it, and one is enough. */
function distinct(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}
