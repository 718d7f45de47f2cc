// Who decided on a permission, in the place where it was asked.

import type { PermissionItem, SettledPermission } from '@parley/client';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { use } from 'react';
import { t } from '../../i18n/translate.ts';
import { ToolFactsContext } from '../context.ts';
import { readableName } from '../tools/describe-tool.ts';

export function Decision({ item: { id, request } }: { item: PermissionItem }) {
  const { settled } = use(ToolFactsContext);
  const decision = settled.get(request.toolUseId ?? id);
  if (!decision) return null;
  const isAllowed = decision.behavior === 'allow';
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  return (
    <p className="flex items-center gap-2 text-faint text-sm">
      <Icon size={15} className={isAllowed ? 'text-good' : 'text-danger'} aria-hidden />
      {wordsFor(readableName(request.tool), decision)}
    </p>
  );
}

function wordsFor(tool: string, { behavior, reason }: SettledPermission): string {
  switch (reason) {
    case 'decided':
      return behavior === 'allow' ? t('You allowed {tool}.', { tool }) : t('You denied {tool}.', { tool });
    case 'allowed-for-session':
      return t('{tool} is allowed for this session.', { tool });
    case 'cancelled':
      return t('{tool} was canceled before anybody decided.', { tool });
    case 'turn-ended':
      return t('The answer ended before anybody decided on {tool}.', { tool });
    default:
      return reason satisfies never;
  }
}
