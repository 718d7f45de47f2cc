// The real program in the sandbox: its tools, its terminal, resuming, MCP servers of chats, and the user's own home.
import { existsSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transcriptPath } from '@parley/claude-cli';
import { callTool, reply } from '@parley/stand-ins';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../../src/domain/logger.ts';
import type { TerminalViewer } from '../../../../src/domain/terminal.ts';
import { messageToolName, openMessageTool } from '../../../../src/doors/bots/core/message-tool.ts';
import { userHome } from '../../../../src/engines/claude-code/program-home.ts';
import {
  allow,
  type CodeHarness,
  eventually,
  openCodeHarness,
  person,
  runTurn,
  transcriptLines,
} from '../harness.ts';
import { programsIn } from '../processes.ts';
import { found } from './probes.ts';

const other = 'bea';
const isThere = found.kind === 'bubblewrap';

describe.runIf(isThere)('the claude program in the sandbox (bubblewrap works here)', () => {
  let code: CodeHarness;
  afterEach(() => code.close());

  /** What its Bash tool says. */
  async function bash(command: string, as = person, id?: string): Promise<string> {
    const session = id ?? (await code.newSession({}, undefined, as)).id;
    code.standIn.enqueue(reply(callTool('Bash', { command })), reply('Done.'));
    const { ended } = await runTurn(code, session, 'Look around', { as, decide: () => allow });
    expect(ended.text).toBe('Done.');
    const { messages = [] } = code.standIn.conversations.at(-1)?.body ?? {};
    const blocks = (messages as readonly { content: unknown }[]).flatMap(
      ({ content }) => content as { type?: string }[],
    );
    return JSON.stringify(blocks.findLast(({ type }) => type === 'tool_result'));
  }

  it('runs tools that see neither Parley nor other people, and change only the work folder [code.sandbox.program] [code.sandbox.sees]', async () => {
    code = await openCodeHarness({ found });
    const { root, project, home } = code;
    await mkdir(join(root, 'parley'), { recursive: true });
    await writeFile(join(root, 'parley', 'parley.db'), 'secret-of-parley');
    await bash('echo made-by-ada > made.txt');
    expect(await readFile(join(project, 'made.txt'), 'utf8')).toBe('made-by-ada\n');
    const seen = await bash(
      `cat ${join(root, 'parley', 'parley.db')} made.txt; ls ${home.projects}; ps aux | wc -l; echo x > /etc/x`,
      other,
    );
    expect(seen).toContain('made-by-ada');
    expect(seen).toMatch(/parley\.db: No such file/);
    expect(seen).toMatch(/projects.{0,10}: No such file/);
    expect(seen).toMatch(/Read-only file system/);
    expect(seen).not.toContain('secret-of-parley');
  });

  it('goes to sleep with a complete transcript, resumes, and is forked [code.sandbox.program] [code.sandbox.stops]', async () => {
    code = await openCodeHarness({ found });
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('The word is rhubarb.'));
    await runTurn(code, id, 'Say a word');
    const [program] = programsIn(code.root, id);
    expect(readlinkSync(`/proc/${program}/ns/mnt`)).not.toBe(readlinkSync('/proc/self/ns/mnt'));
    await code.engine.rest(id);
    expect(programsIn(code.root)).toEqual([]);
    expect((await transcriptLines(code, id)).join('\n')).toContain('The word is rhubarb.');
    code.standIn.enqueue(reply('Still rhubarb.'));
    expect((await runTurn(code, id, 'Again')).ended.text).toBe('Still rhubarb.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain(
      'The word is rhubarb.',
    );
    const fork = await code.sessions.fork(person, id);
    code.standIn.enqueue(reply('Rhubarb, forked.'));
    expect((await runTurn(code, fork.id, 'And here?')).ended.text).toBe('Rhubarb, forked.');
    expect(await code.sessions.get(person, id)).toMatchObject({
      sandbox: { kind: 'bubblewrap', required: false },
    });
  });

  it('waits in the sandbox for a new session [code.sandbox.program] [code.homes.warm]', async () => {
    code = await openCodeHarness({ found, warmProcesses: 1 });
    await code.sessions.prepare(person, { workingDir: code.project });
    await code.engine.warmedUp();
    const { id } = await code.sessions.create(person, { workingDir: code.project, mode: 'ui' });
    expect(programsIn(code.root, id)).toHaveLength(1);
    expect(await bash('cat /proc/1/comm', person, id)).toContain('bwrap');
  });

  it('sends messages to its chat through an MCP server outside [code.sandbox.program]', async () => {
    code = await openCodeHarness({ found });
    const sent: string[] = [];
    const tool = await openMessageTool(async (_chat, text) => void sent.push(text), silentLogger);
    onTestFinished(() => tool.close());
    const mcpConfig = await tool.mcpConfigFor({ bot: 'telegram', chatId: '1' } as never);
    const { id } = await code.newSession({ mcpConfig, allowedTools: [messageToolName] });
    code.standIn.enqueue(reply(callTool(messageToolName, { text: 'From inside' })), reply('Done.'));
    expect((await runTurn(code, id, 'Tell them')).ended.text).toBe('Done.');
    expect(sent).toEqual(['From inside']);
  });

  it('shows its screen, follows its size, and is asked to end with it [code.sandbox.program] [code.sandbox.stops]', async () => {
    code = await openCodeHarness({ found });
    const { id } = await code.newSession({ mode: 'cli' });
    let text = '';
    const viewer: TerminalViewer = {
      data: (chunk) => {
        text += Buffer.from(chunk).toString();
        return true;
      },
      ended: () => undefined,
    };
    const link = await code.terminals.attach(person, id, viewer);
    await eventually(() => text.includes('❯') || text.includes('>'));
    const before = text.length;
    link.resize(60, 20);
    await eventually(() => text.length > before);
    code.standIn.enqueue(reply('The terminal answers.'));
    link.write(Buffer.from('Say something'));
    await eventually(() => text.includes('something'));
    link.write(Buffer.from('\r'));
    await eventually(async () =>
      (await transcriptLines(code, id)).some((line) => line.includes('The terminal answers.')),
    );
    const [program] = programsIn(code.root, id);
    expect(readlinkSync(`/proc/${program}/ns/mnt`)).not.toBe(readlinkSync('/proc/self/ns/mnt'));
    expect(await code.terminals.end(person, id)).toBe(true);
    expect(programsIn(code.root)).toEqual([]);
  });

  it('uses the configuration of the user for the owner, and nothing else of that home [code.sandbox.program] [code.homes.own]', async () => {
    code = await openCodeHarness({ found, usersHome: true });
    const user = join(code.root, 'home');
    await mkdir(join(user, '.ssh'));
    await writeFile(join(user, '.ssh', 'id_test'), 'a private key');
    await writeFile(join(user, '.gitconfig'), '[user]\n\tname = Ada of the test\n');
    const { id } = await code.newSession();
    const seen = await bash(
      'git config user.name; cat ~/.ssh/id_test; ls -A ~; echo x > ~/left; echo $HOME',
      person,
      id,
    );
    expect(seen).toContain('Ada of the test');
    expect(seen).not.toContain('a private key');
    expect(seen).toContain(user);
    expect(existsSync(join(user, 'left'))).toBe(false);
    expect(existsSync(transcriptPath(code.home.projects, code.project, id))).toBe(true);
    await code.engine.rest(id);
    expect((await userHome({ HOME: user }, { baseUrl: '' })).config).toBe(code.home.config);
  });

  it('notes its own things in a copy of the settings of the user [code.sandbox.settings]', async () => {
    code = await openCodeHarness({ found, usersHome: true });
    const settings = join(code.root, 'home', '.claude.json');
    const copy = join(code.home.config, '.claude.json');
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const say = async () => {
      const { id } = await code.newSession();
      code.standIn.enqueue(reply('Hello.'));
      expect((await runTurn(code, id, 'Hi')).ended.text).toBe('Hello.');
      await code.engine.rest(id);
    };
    const first = JSON.stringify({ verbose: true, projects: { '/mine': { allowedTools: [] } } });
    await writeFile(settings, first);
    // Programs that start at the same time replace the same file.
    await Promise.all([say(), say(), say()]);
    expect(await readFile(settings, 'utf8')).toBe(first);
    const noted = await read(copy);
    expect(noted).toMatchObject({ verbose: true, projects: { '/mine': {} } });
    expect(Object.keys(noted).length).toBeGreaterThan(2);

    await writeFile(settings, JSON.stringify({ verbose: false }));
    await say();
    expect(await read(copy)).toMatchObject({ ...noted, verbose: false, projects: { '/mine': {} } });
  });
});
