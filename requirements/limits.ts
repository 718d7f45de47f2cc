// Budgets, and fair shares between people.
import { promisesOf } from './requirement.ts';

export const limits = promisesOf(6, {
  // Budgets
  'team.budgets.scopes':
    'There are budgets in dollars and tokens, per day and month, for everybody, a person, an assistant, a chat and a session.',
  'team.budgets.enforced': 'No request leaves for a model once a budget is used up.',
  'team.budgets.one-request':
    'Spending exceeds a budget by at most one request, however many turns and processes run.',
  'team.budgets.relay': 'A turn of the `claude` program stops before its next request, without retries.',
  'team.budgets.terminal': 'A terminal shows that a budget is used up, and its page warns beforehand.',
  'team.budgets.own-login':
    "With the program's own login, what it reports counts, and the next prompt is refused once a budget is used up.",
  'team.budgets.warning': 'At 80%, each person gets one warning per budget and period, at the door they use.',
  'team.budgets.message':
    'A refusal says which budget is used up, when it resets, and that an owner can raise it.',
  'team.budgets.doors': 'Every door shows the refusal; HTTP answers with 402.',
  'team.budgets.raise': 'A raised budget applies at once.',
  'team.budgets.crash':
    'What a request used is recorded when the request is over, so a crash loses only those under way.',
  'team.budgets.file': 'A budget in the configuration file wins over one that was set in the app.',
  'team.budgets.list': 'Budgets can be read with what is spent, reserved and left, and changed.',
  'team.budgets.page':
    'The app shows what is used of each budget and when it resets, links to it from a turn that it stopped, and lets owners raise it.',
  'team.budgets.rights': 'Only an owner changes budgets; everybody else reads those that concern them.',

  // Fair shares
  'team.shares.turns':
    'If there are several people, one of them takes at most three quarters of the running turns and processes, and a freed one goes to whoever has the fewest.',
  'team.storage.counted':
    'What is stored for a person is always known, whatever wrote it, and deleting sessions frees it.',
  'team.storage.full':
    'Once a person has used up their storage, new prompts are refused with a message that says what to do.',
});
