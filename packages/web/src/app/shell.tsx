// The frame around every page: navigation, the person's menu, and the demo banner.
import {
  Bell,
  ChartNoAxesColumn,
  LogOut,
  MessageCircle,
  Moon,
  Search,
  Settings,
  SquareTerminal,
  Sun,
  UserRound,
  UserRoundPlus,
} from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useWaitingCount } from '../code/list/use-sessions.ts';
import { openHelp } from '../help/help.ts';
import { HelpItems, HelpMenu, helpEntries } from '../help/help-items.tsx';
import { HelpParts } from '../help/help-parts.tsx';
import { errorText } from '../i18n/error-text.ts';
import { chosenLanguage } from '../i18n/language.tsx';
import { t } from '../i18n/translate.ts';
import { PaletteDialog } from '../palette/palette-dialog.tsx';
import { renew, turnOn, useDeviceState } from '../push/device.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { Notice, showNotice } from '../ui/notice.tsx';
import { DemoBanner, Mark } from './brand.tsx';
import { useCommands } from './commands.ts';
import { languageOptions, switchLanguage } from './language-choice.ts';
import { logOut, useChoosePerson, useHere } from './me.tsx';
import { useNotifications } from './notifications.ts';
import { setNeeded } from './page-title.ts';
import { PersonName } from './person-name.tsx';
import { useShortcuts } from './shortcuts.ts';
import { toggleTheme, useTheme } from './theme.ts';

const places = [
  {
    path: '/',
    name: () => t('Chat'),
    icon: MessageCircle,
    keys: 'Alt+G then C',
    isHere: (at: string) => at === '/' || at.startsWith('/chat'),
  },
  {
    path: '/code',
    name: () => t('Claude Code'),
    icon: SquareTerminal,
    keys: 'Alt+G then S',
    isHere: (at: string) => at.startsWith('/code'),
  },
  {
    path: '/overview',
    name: () => t('Overview'),
    icon: ChartNoAxesColumn,
    keys: 'Alt+G then O',
    isHere: (at: string) => at.startsWith('/overview'),
  },
] as const;

export function Shell({ children }: { children: ReactNode }) {
  const [, go] = useLocation();
  const [palette, setPalette] = useState(false);
  const { demo, person, rights } = useHere();
  useNotifications(go);
  useEffect(() => void renew(person).catch(() => undefined), [person]);
  useShortcuts(
    useMemo(() => [{ keys: 'Mod+K', does: t('Search everything'), run: () => setPalette(true) }], []),
  );
  useCommands(
    useMemo(
      () => [
        ...places.map(({ path, name, keys }) => ({
          name: t('Go to {page}', { page: name() }),
          keys,
          run: () => go(path),
        })),
        {
          name: t('Go to {page}', { page: t('Settings') }),
          keys: 'Alt+G then P',
          run: () => go('/settings'),
        },
        { name: t('Toggle dark mode'), run: toggleTheme },
        { name: t('Show keyboard shortcuts'), keys: 'Mod+/', run: () => openHelp('keys') },
        ...helpEntries().filter(({ name }) => name !== t('Keyboard shortcuts')),
        { name: t('Log out'), run: () => void logOut() },
      ],
      [go],
    ),
  );

  return (
    <div className="flex h-full flex-col pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]">
      <a
        href="#page"
        onClick={(event) => {
          // The link would resolve against the app's base address and leave the page.
          event.preventDefault();
          document.getElementById('page')?.focus();
        }}
        className="-translate-y-20 absolute top-2 left-2 z-50 rounded-lg bg-accent px-3 py-2 text-on-accent text-sm focus:translate-y-0 print:hidden"
      >
        {t('Skip to content')}
      </a>
      {demo && (
        <DemoBanner>
          {rights.includes('settings') && (
            <Link href="/setup" className="font-semibold underline underline-offset-2">
              {t('Set up Parley')}
            </Link>
          )}
        </DemoBanner>
      )}
      <Header onPalette={() => setPalette(true)} />
      <div id="page" tabIndex={-1} className="min-h-0 flex-1 outline-none">
        {children}
      </div>
      <PaletteDialog open={palette} onOpenChange={setPalette} />
      <HelpParts />
      <Notice />
    </div>
  );
}

const menuId = 'person-menu';

function Header({ onPalette }: { onPalette: () => void }) {
  const [at] = useLocation();
  const { rights } = useHere();
  const visible = places.filter(({ path }) => path !== '/code' || rights.includes('claude-code'));
  const waiting = useWaitingCount();
  useEffect(() => {
    setNeeded(waiting > 0);
    return () => setNeeded(false);
  }, [waiting]);
  const nameOf = (name: string, path: string) =>
    path === '/code' && waiting > 0
      ? t('{page}: {count, plural, one {# needs you} other {# need you}}', { page: name, count: waiting })
      : name;
  return (
    <header className="flex h-14 shrink-0 print:hidden items-center gap-2 border-line border-b bg-raised px-3 sm:px-4">
      <Link
        href="/"
        className="mr-2 flex h-10 min-w-10 items-center justify-center gap-2 font-semibold tracking-tight"
        aria-label={t('Parley home page')}
      >
        <Mark className="size-7" />
        <span className="hidden sm:inline">Parley</span>
      </Link>
      <nav aria-label={t('Pages')} data-tour="pages" className="mr-auto flex min-w-0 items-center gap-1">
        {visible.map(({ path, name, icon: Icon, isHere }) => (
          <Link
            key={path}
            href={path}
            aria-label={nameOf(name(), path)}
            aria-current={isHere(at) ? 'page' : undefined}
            className={classes(
              'relative flex h-9 items-center gap-2 rounded-lg px-3 font-medium text-sm transition-colors',
              isHere(at) ? 'bg-accent-wash text-accent' : 'text-soft hover:bg-sunken hover:text-ink',
            )}
          >
            <Icon size={17} aria-hidden />
            <span className="hidden md:inline">{name()}</span>
            {path === '/code' && waiting > 0 && (
              <span
                aria-hidden
                data-count={waiting}
                // Not as text: visible text would have to be part of the link's name.
                className="grid h-4.5 min-w-4.5 place-items-center rounded-full bg-warn px-1 font-semibold text-[0.6875rem] text-paper tabular-nums before:content-[attr(data-count)] max-md:-top-0.5 max-md:absolute max-md:right-0.5"
              />
            )}
          </Link>
        ))}
      </nav>
      <IconButton label={t('Search everything')} data-tour="search" onClick={onPalette}>
        <Search size={17} aria-hidden />
      </IconButton>
      <HelpMenu />
      <PersonMenu />
      <IconButton label={t('Log out')} className="max-sm:hidden" onClick={() => void logOut()}>
        <LogOut size={17} aria-hidden />
      </IconButton>
    </header>
  );
}

function PersonMenu() {
  const here = useHere();
  const [, go] = useLocation();
  const theme = useTheme();
  const choose = useChoosePerson();
  const notifications = useDeviceState();
  const others = here.people.filter((name) => name !== here.person);
  return (
    <Menu
      trigger={
        <button
          type="button"
          id={menuId}
          data-tour="person"
          aria-label={t('{person}: person and settings', { person: here.displayName ?? here.person })}
          className="flex h-9 items-center gap-2 rounded-lg px-2.5 text-sm text-soft hover:bg-sunken hover:text-ink"
        >
          <UserRound size={17} aria-hidden />
          <span className="flex max-w-28">
            <PersonName {...here} />
          </span>
        </button>
      }
    >
      {others.length > 0 && <MenuLabel>{t('Switch person')}</MenuLabel>}
      {others.map((name) => (
        <MenuItem key={name} onSelect={() => choose.mutate(name)}>
          <UserRound size={16} aria-hidden />
          <PersonName person={name} />
        </MenuItem>
      ))}
      {others.length > 0 && <MenuLine />}
      <MenuItem onSelect={toggleTheme}>
        {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
        {theme === 'dark' ? t('Light mode') : t('Dark mode')}
      </MenuItem>
      <MenuLine />
      <MenuChoice
        label={t('Language')}
        value={chosenLanguage() ?? ''}
        onChoose={(language) => void switchLanguage(language, menuId)}
        options={languageOptions()}
      />
      <MenuLine />
      <MenuItem onSelect={() => go('/settings')}>
        <Settings size={16} aria-hidden />
        {t('Settings')}
      </MenuItem>
      {here.rights.includes('people') && (
        <MenuItem onSelect={() => go('/settings/people?invite')}>
          <UserRoundPlus size={16} aria-hidden />
          {t('Invite someone')}
        </MenuItem>
      )}
      {notifications === 'off' && (
        <MenuItem
          onSelect={() => void turnOn(here.person).catch((error: unknown) => showNotice(errorText(error)))}
        >
          <Bell size={16} aria-hidden />
          {t('Notify me when Claude needs me')}
        </MenuItem>
      )}
      {/* On small screens, which have no room for their buttons. */}
      <HelpItems className="sm:hidden" />
      <MenuItem className="sm:hidden" onSelect={() => void logOut()}>
        <LogOut size={16} aria-hidden />
        {t('Log out')}
      </MenuItem>
      <MenuLabel>{`Parley ${here.version}`}</MenuLabel>
    </Menu>
  );
}
