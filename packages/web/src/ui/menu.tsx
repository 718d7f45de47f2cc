// A menu behind a button.
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-xl border border-line bg-raised p-1 text-sm shadow-xl"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  children,
}: {
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classes(
        'flex cursor-pointer items-center gap-2.5 rounded-lg px-3 py-2 outline-none data-[disabled]:opacity-50',
        danger ? 'text-danger data-[highlighted]:bg-danger-wash' : 'text-ink data-[highlighted]:bg-sunken',
      )}
    >
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 pt-2 pb-1 text-faint text-xs">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
