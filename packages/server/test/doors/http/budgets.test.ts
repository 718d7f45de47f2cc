// Who may see and change budgets.
import type { BudgetOverview } from '@parley/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { startDoor } from './door-harness.ts';

const rule = { scope: 'person', subject: 'petra', period: 'day', unit: 'usd', limit: 5 };

it('an owner changes budgets, and others read their own [team.budgets.rights]', async () => {
  const door = await startDoor({ people: ['sebastian', 'petra', 'anna'] });
  onTestFinished(() => door.stop());
  const { people } = door;
  const account = { assistants: [], createdAt: 0 };
  people.update({ accounts: [{ ...account, person: 'anna', role: 'owner' }] });
  const call = (person: string, method: string, path = '/api/budgets', body?: object) =>
    door.fetch(path, {
      method,
      headers: { 'x-notes-person': person, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const list = async (person: string) => (await (await call(person, 'GET')).json()) as BudgetOverview;

  expect((await call('petra', 'PUT', '/api/budgets', rule)).status).toBe(403);
  people.update({ accounts: [] });
  expect((await call('sebastian', 'PUT', '/api/budgets', rule)).status).toBe(200);
  people.update({ accounts: [{ ...account, person: 'anna', role: 'owner' }] });
  expect(await list('petra')).toMatchObject({ budgets: [{ subject: 'petra' }], mayChange: false });
  expect(await list('sebastian')).toMatchObject({ budgets: [], mayChange: false, storage: { used: 0 } });
  expect((await call('petra', 'DELETE', '/api/budgets/person:day:usd:petra')).status).toBe(403);
  people.update({ accounts: [] });
  expect((await call('petra', 'DELETE', '/api/budgets/person:day:usd:petra')).status).toBe(200);
});
