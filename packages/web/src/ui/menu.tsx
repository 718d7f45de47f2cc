// A menu behind a button.
import { Check, Ellipsis } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { createContext, type ReactNode, useContext, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

/** Actions run after the menu has closed and its button has the focus again: they may open a dialog or move the focus. */
const ChooseContext = createContext<(action: () => void) => void>((action) => action());

const itemLook = 'flex cursor-pointer items-center gap-2.5 rounded-lg px-3 py-2 outline-none';

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  const chosen = useRef<() => void>(undefined);
  const finish = () => {
    chosen.current?.();
    chosen.current = undefined;
  };
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          // This event comes just before the button gets the focus.
          onCloseAutoFocus={() => queueMicrotask(finish)}
          className="z-50 min-w-48 animate-pop-in rounded-xl border border-line bg-raised p-1 text-sm shadow-xl"
        >
          <ChooseContext
            value={(action) => {
              chosen.current = action;
            }}
          >
            {children}
          </ChooseContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A menu behind three dots. */
export function MoreMenu({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Menu
      trigger={
        <IconButton label={label} className={className}>
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}

export function MenuItem({
  onSelect,
  danger = false,
  className,
  children,
}: {
  onSelect: () => void;
  danger?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const choose = useContext(ChooseContext);
  return (
    <Radix.Item
      onSelect={() => choose(onSelect)}
      className={classes(
        itemLook,
        danger ? 'text-danger data-[highlighted]:bg-danger-wash' : 'text-ink data-[highlighted]:bg-sunken',
        className,
      )}
    >
      {children}
    </Radix.Item>
  );
}

/** One of several options, with a check mark at the current one. */
export function MenuChoice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly name: string }[];
  onChoose: (value: string) => void;
}) {
  const choose = useContext(ChooseContext);
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => choose(() => onChoose(chosen))}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={classes(itemLook, 'text-ink data-[highlighted]:bg-sunken')}
        >
          <span className="size-4 shrink-0">
            <Radix.ItemIndicator>
              <Check size={16} aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {option.name}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 pt-2 pb-1 text-faint text-xs">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
