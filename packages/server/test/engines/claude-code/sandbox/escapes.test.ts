// Programs that try to get out of the sandbox: to read, write, signal, and see what is not theirs.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CommandLine } from '@parley/claude-cli';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../harness.ts';
import { isAlive } from '../processes.ts';
import { found, type Machine, openMachine, secret } from './probes.ts';

if (found.kind !== 'bubblewrap') {
  it(`bubblewrap does not work on this machine (${found.kind}), so no program tries to escape`, () => {
    expect(found.kind).not.toBe('bubblewrap');
  });
}

describe.runIf(found.kind === 'bubblewrap')('a program in the sandbox (bubblewrap works here)', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await openMachine();
  });
  afterAll(() => machine.close());

  it('reads its folders and the system, and nothing of Parley and of others [code.sandbox.sees]', async () => {
    const { parley, notes, project, sibling, foreign, home, root } = machine;
    expect((await machine.run('cat secret.txt; pwd')).output).toBe(`of Ada${project}\n`);
    expect((await machine.run('ls -d /usr/bin /etc/passwd && touch $HOME/x && ls $HOME/x')).code).toBe(0);
    for (const path of [
      join(parley, 'parley.db'),
      join(parley, 'people', 'bea', 'claude', '.claude', 'secret.txt'),
      join(notes, 'bea', 'secret.txt'),
      join(sibling, 'secret.txt'),
      join(foreign, 'secret.txt'),
    ]) {
      const ran = await machine.run(`cat ${path}`);
      expect([path, ran.code, ran.output]).toEqual([path, 1, expect.stringContaining('No such file')]);
    }
    // Only the folders that lead to their own.
    expect((await machine.run(`ls ${root} ${parley} ${join(parley, 'people')}`)).output).not.toMatch(
      /bea|notes|parley\.db|other/,
    );
    const { output } = await machine.run(
      'find / -path /usr -prune -o -path /proc -prune -o \\( -name secret.txt -o -name parley.db \\) -print',
    );
    expect(output.trim()).toBe(join(project, 'secret.txt'));
    expect((await machine.run('ls -A /home /root /var /srv /run /mnt /media 2>/dev/null')).output).toBe(
      '/var:\ntmp\n',
    );
    expect(home.config.startsWith(parley)).toBe(true);
  });

  it('sees in /etc what every user of the machine may read [code.sandbox.sees]', async () => {
    const ran = await machine.run('cat /etc/shadow /etc/gshadow; cat /etc/passwd | head -1');
    expect(ran.output).toMatch(/root:x:0:0/);
    expect(ran.output).not.toMatch(/root:[*!$]/);
  });

  it('sees and signals no process but its own, and has no power over others [code.sandbox.sees] [code.sandbox.escapes]', async () => {
    const bystander = sleeper();
    const { output } = await machine.run(
      `ls /proc | grep -c '^[0-9]*$'; kill -9 ${bystander.pid} && echo killed; ` +
        `cat /proc/${bystander.pid}/environ /proc/${process.pid}/environ && echo read; ` +
        'for pid in $(seq 2 400); do kill -9 $pid 2>/dev/null; done; echo done',
    );
    expect(Number(output.split('\n')[0])).toBeLessThan(10);
    expect(output).not.toMatch(/killed|read\n/);
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    expect((await machine.run('grep -E "^Cap(Prm|Eff|Bnd):" /proc/self/status')).output).toMatch(
      /^CapPrm:\s0+\nCapEff:\s0+\nCapBnd:\s0+\n$/,
    );
  });

  it('writes nowhere but to its folders [code.sandbox.writes]', async () => {
    const { parley, notes, sibling, project, home } = machine;
    for (const path of ['/x', '/usr/x', '/etc/x', '/etc/passwd', '/bin/x', '/var/x', '/proc/sys/x']) {
      const ran = await machine.run(`echo y >> ${path}`);
      expect([path, ran.code]).toEqual([path, 2]);
    }
    // What is not there can be made in a temporary folder, which is not the real one.
    for (const folder of [parley, notes, sibling]) {
      await machine.run(`mkdir -p ${folder}; echo y > ${join(folder, 'left-behind')}`);
      expect(existsSync(join(folder, 'left-behind'))).toBe(false);
    }
    await machine.run(
      'echo y > /tmp/left-behind; echo y > /var/tmp/left-behind; echo y > kept; echo y > $HOME/kept',
    );
    expect(['/tmp/left-behind', '/var/tmp/left-behind'].filter((path) => existsSync(path))).toEqual([]);
    expect(await readFile(join(project, 'kept'), 'utf8')).toBe('y\n');
    expect(existsSync(join(home.config, '..', 'kept'))).toBe(true);
    expect((await machine.run('ls /tmp')).output).not.toContain('left-behind');
  });

  it('gets out neither through links nor through /proc [code.sandbox.escapes]', async () => {
    const { parley, project, sibling } = machine;
    await symlink(parley, join(project, 'out'));
    await symlink('../other', join(project, 'side'));
    for (const way of [
      'out/parley.db',
      'side/secret.txt',
      '../other/secret.txt',
      `/proc/1/root${parley}/parley.db`,
      `/proc/self/root${parley}/parley.db`,
      `/proc/1/cwd/../other/secret.txt`,
      `/proc/self/cwd/../other/secret.txt`,
      '/oldroot/etc/shadow',
    ]) {
      const ran = await machine.run(`cat ${way}`);
      expect([way, ran.code]).toEqual([way, 1]);
    }
    // Files that it may not see can't be linked either.
    const linked = await machine.run(`ln ${join(sibling, 'secret.txt')} stolen; ln /etc/passwd passwd`);
    expect([linked.code, existsSync(join(project, 'stolen'))]).toEqual([1, false]);
    const descriptors = await machine.run(
      'ls /proc/self/fd; for fd in /proc/self/fd/*; do readlink $fd; done',
    );
    expect(descriptors.output).not.toContain(machine.root);
  });

  it('mounts nothing, makes no namespaces, traces nobody and gains nothing by setuid [code.sandbox.escapes]', async () => {
    const { parley } = machine;
    const tried = await machine.run(
      [
        'mount -t tmpfs none /mnt && echo MOUNTED',
        `mount --bind / /tmp && cat /tmp${parley}/parley.db`,
        `umount ${parley} && cat ${parley}/parley.db`,
        `umount -l / && cat ${parley}/parley.db`,
        'unshare -Ur true && echo NAMESPACE',
        'unshare -m true && echo NAMESPACE',
        'nsenter -t 1 -m true && echo ENTERED',
        'chroot / true && echo CHROOT',
        'mknod disk b 8 0 && echo DEVICE',
        'cp /bin/sh own; chmod u+s own; grep NoNewPrivs /proc/self/status',
        'cat /dev/mem /dev/sda /dev/vda /dev/kmsg 2>/dev/null | head -c 1 | wc -c',
        // The same value again, in case it works.
        'value=$(cat /proc/sys/kernel/panic); echo $value > /proc/sys/kernel/panic && echo SYSCTL',
        'true >> /proc/sysrq-trigger && echo SYSRQ',
      ].join('\n'),
    );
    expect(tried.output).not.toMatch(/MOUNTED|NAMESPACE|ENTERED|CHROOT|DEVICE|SYSCTL|SYSRQ/);
    expect(tried.output).not.toContain(secret);
    expect(tried.output).toMatch(/NoNewPrivs:\s1\n0\n/);
    const traced = await machine.run(
      `perl -e '$r = syscall(101, 16, ${process.pid}, 0, 0); print $r == -1 ? "refused" : "TRACED"'`,
    );
    expect(traced.output).toBe('refused');
  });

  it('gets nothing else when its folder is replaced while it starts [code.sandbox.replaced]', async () => {
    const { project } = machine;
    const folder = join(project, 'swapped');
    await mkdir(folder);
    await writeFile(join(folder, 'secret.txt'), 'of Ada');
    const wrap = await machine.wrap(folder);
    await rename(folder, join(project, 'aside'));
    await symlink('../other', folder);
    const ran = await runWrapped(wrap({ file: '/bin/cat', args: ['secret.txt'] }), project);
    expect(ran).not.toContain(secret);
    expect(ran).toMatch(/replaced|No such file|Can't/);
    await expect(machine.wrap(folder)).rejects.toThrow(/ENOTDIR|ELOOP/);
    // A real folder in its place is another one too.
    await rm(folder);
    await mkdir(folder);
    expect(await runWrapped(wrap({ file: '/bin/echo', args: ['STARTED'] }), project)).not.toContain(
      'STARTED',
    );
  });

  it('connects to the network, even on this machine [code.sandbox.shown]', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const script = `${process.execPath} -e "fetch('http://127.0.0.1:${port}').then(r=>r.text()).then(console.log)"`;
    expect((await machine.run(script)).output).toContain('reached');
  });

  it('ends with everything it started, however it or its parent ends [code.sandbox.orphans]', async () => {
    const { project } = machine;
    const wrap = await machine.wrap();
    const name = `orphan-of-${process.pid}`;
    const daemon = `setsid bash -c 'exec -a ${name} sleep 1000' >/dev/null 2>&1 & echo up;`;
    const bash = (script: string) => wrap({ file: '/bin/bash', args: ['-c', script] });
    // The program ends by itself and leaves a daemon behind.
    expect(await runWrapped(bash(`${daemon} sleep 0.3`), project)).toContain('up');
    await eventually(() => findByName(name).length === 0);

    // The process that started the sandbox is killed.
    const starter =
      'const [file, ...args] = JSON.parse(process.argv[1]);' +
      'require("child_process").spawn(file, args, { stdio: "inherit", detached: true });';
    const { file, args } = bash(`${daemon} sleep 1000`);
    const parent = spawn(process.execPath, ['-e', starter, JSON.stringify([file, ...args])], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: '/usr/bin:/bin' },
    });
    await once(parent.stdout, 'data');
    await eventually(() => findByName(name).length > 0);
    parent.kill('SIGKILL');
    await eventually(() => findByName(name).length === 0);
  });
});

function sleeper(): ChildProcess {
  const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function runWrapped({ file, args }: CommandLine, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, [...args], { cwd, env: { PATH: '/usr/bin:/bin' } }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}

/** Processes with this name, wherever they run. */
function findByName(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${name}\0`);
      } catch {
        return false;
      }
    });
}
