// Adds or changes an MCP server: a program with arguments and variables, or an address with headers.
import type { McpTrialResult, SettingEntry, SettingsView } from '@parley/protocol';
import { useState } from 'react';
import { useChoices } from '../../app/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { fromPairs, LinesField, lines, ManyField, More, PairsField, pairsOf } from '../form/controls.tsx';
import { NameField, SettingForm, useSettingForm } from '../form/setting-form.tsx';
import { entriesAt, fieldsOf, type Json, numberOf, settingAt, textOf, textsOf } from '../form/view.ts';
import { usageChanges, usesOf } from './assistants-of.ts';

/** Not translated. */
const examples = {
  program: 'npx',
  args: '-y\n@modelcontextprotocol/server-filesystem\n/home/ada/documents',
  address: 'https://mcp.example.com/mcp',
};
const parts = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'timeoutMs'];

export function ServerForm({
  view,
  entry,
  onClose,
}: {
  view: SettingsView;
  /** Undefined for a new one. */
  entry?: SettingEntry;
  onClose: () => void;
}) {
  const form = useSettingForm<McpTrialResult>(view, onClose, '/api/settings/mcp/test');
  const before = fieldsOf(entry?.value);
  const [name, setName] = useState(entry?.name ?? '');
  const [kind, setKind] = useState<'program' | 'address'>(
    before['url'] === undefined ? 'program' : 'address',
  );
  const [command, setCommand] = useState(textOf(before['command']));
  const [args, setArgs] = useState<readonly string[]>(textsOf(before['args']));
  const [env, setEnv] = useState(pairsOf(before['env']));
  const [cwd, setCwd] = useState(textOf(before['cwd']));
  const [url, setUrl] = useState(textOf(before['url']));
  const [headers, setHeaders] = useState(pairsOf(before['headers']));
  const [trusted, setTrusted] = useState(before['trusted'] === true);
  const [timeoutMs, setTimeoutMs] = useState(textOf(before['timeoutMs']));
  const [isOn, setOn] = useState(before['disabled'] !== true);
  const { assistants } = useChoices();
  const uses = usesOf(
    form.basis,
    assistants.map((assistant) => assistant.name),
    name,
  );
  const [chosen, setChosen] = useState<readonly string[]>();
  const wanted = chosen ?? uses.filter((use) => use.uses).map(({ assistant }) => assistant);

  const key = `mcpServers.${name}`;
  const at = (part: string) => form.problem(`${key}.${part}`);
  const isTaken = !entry && entriesAt(view, 'mcpServers').some((one) => one.name === name);
  const value: Record<string, Json> = {
    ...(kind === 'program'
      ? { command, args: lines(args), env: fromPairs(env), ...(cwd !== '' && { cwd }) }
      : { url, headers: fromPairs(headers) }),
    trusted,
    ...(timeoutMs !== '' && { timeoutMs: numberOf(timeoutMs) }),
    disabled: !isOn,
  };
  return (
    <SettingForm
      form={form}
      label={entry ? entry.name : t('Add a server')}
      fields={parts.map((part) => `${key}.${part}`)}
      entry={entry ? undefined : key}
      applies={settingAt(view, 'mcpServers').applies}
      onSubmit={() => {
        if (!isTaken) form.save({ [key]: value, ...usageChanges(form.basis, uses, name, wanted) });
      }}
      trial={{
        values: { name, value: { ...value, disabled: false } },
        waiting: t('Starting the server …'),
        works: <Found tools={form.test.data?.tools ?? []} />,
      }}
    >
      {!entry && (
        <NameField
          value={name}
          onChange={setName}
          isTaken={isTaken}
          problem={form.problem(key, true)}
          pattern="[a-zA-Z0-9][a-zA-Z0-9_\-]{0,31}"
          hint={t('A short name made of letters, digits, - and _.')}
          placeholder={t('calendar')}
        />
      )}
      <SelectField
        label={t('How to reach it')}
        value={kind}
        options={[
          { value: 'program', name: t('A program on this machine') },
          { value: 'address', name: t('An address on the network') },
        ]}
        onChoose={setKind}
      />
      {kind === 'program' ? (
        <>
          <TextField
            label={t('Program')}
            hint={t('A command that the server can find, or an absolute path.')}
            problem={at('command')}
            required
            className="font-mono"
            placeholder={examples.program}
            spellCheck={false}
            value={command}
            onChange={({ target }) => setCommand(target.value)}
          />
          <LinesField
            label={t('Arguments')}
            hint={t('One per line. Put secrets in variables: everybody on the machine can see arguments.')}
            problem={at('args')}
            placeholder={examples.args}
            value={args}
            onChange={setArgs}
          />
          <PairsField
            label={t('Environment variables')}
            hint={t('Values are never shown again.')}
            problem={at('env')}
            names={t('Name')}
            values={t('Value')}
            isSecret
            value={env}
            onChange={setEnv}
          />
        </>
      ) : (
        <>
          <TextField
            label={t('Address')}
            hint={t('The address of a server that speaks streamable HTTP. Put secrets in headers.')}
            problem={at('url')}
            required
            type="url"
            className="font-mono"
            placeholder={examples.address}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
          <PairsField
            label={t('Headers')}
            hint={t('For example, Authorization. Values are never shown again.')}
            problem={at('headers')}
            names={t('Name')}
            values={t('Value')}
            isSecret
            value={headers}
            onChange={setHeaders}
          />
        </>
      )}
      {uses.length > 0 && (
        <ManyField
          label={t('Assistants that use it')}
          options={assistants.map(({ name: assistant, label }) => {
            const isFixed = uses.find((use) => use.assistant === assistant)?.editable === false;
            return { value: assistant, name: label, disabled: isFixed };
          })}
          value={wanted}
          onChange={setChosen}
        />
      )}
      <CheckField
        label={t('Trust its results')}
        hint={t(
          'Only if they come from your household. Reading them then won’t make assistants ask before they act.',
        )}
        checked={trusted}
        onChange={({ target }) => setTrusted(target.checked)}
      />
      <More isOpen={['cwd', 'timeoutMs'].some((part) => at(part) !== undefined)}>
        {kind === 'program' && (
          <TextField
            label={t('Working folder')}
            hint={t('An absolute path. Without it, the program gets its own folder.')}
            problem={at('cwd')}
            className="font-mono"
            spellCheck={false}
            value={cwd}
            onChange={({ target }) => setCwd(target.value)}
          />
        )}
        <TextField
          label={t('Tool call timeout in milliseconds')}
          problem={at('timeoutMs')}
          inputMode="numeric"
          placeholder="60000"
          value={timeoutMs}
          onChange={({ target }) => setTimeoutMs(target.value)}
        />
      </More>
      <CheckField label={t('On')} checked={isOn} onChange={({ target }) => setOn(target.checked)} />
    </SettingForm>
  );
}

function Found({ tools }: Pick<McpTrialResult, 'tools'>) {
  return (
    <div role="status" className="grid gap-2 rounded-card border border-good/30 bg-good-wash p-3 text-sm">
      <p className="font-medium text-good">
        {t('{count, plural, one {It works and has one tool.} other {It works and has # tools.}}', {
          count: tools.length,
        })}
      </p>
      <ul className="grid gap-1">
        {tools.map((tool) => (
          <li key={tool.name} className="min-w-0 break-words text-xs">
            <span className="font-medium font-mono">{tool.name}</span>{' '}
            <span className="text-soft">{tool.description}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
