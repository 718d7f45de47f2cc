// Text in the colours that a program gave it for a terminal.
import type { CSSProperties } from 'react';
import { classes } from '../../ui/classes.ts';
import type { TerminalColour, TerminalStyle } from '../model/terminal-style.ts';
import type { StyledRun } from '../model/terminal-text.ts';
import './terminal-text.css';

export function TerminalText({ runs }: { runs: readonly StyledRun[] }) {
  return runs.map(({ text, style }, at) => (
    <span
      key={at}
      className={classes(
        style.isBold && 'font-bold',
        style.isItalic && 'italic',
        style.isUnderlined && 'underline',
      )}
      style={coloursOf(style)}
    >
      {text}
    </span>
  ));
}

/** On a coloured ground words have the colour of paper: that of the program might not be legible there. */
function coloursOf({ colour, ground, isDim, isInverse }: TerminalStyle): CSSProperties {
  const filled = isInverse === true ? (colour ?? 'ink') : ground;
  if (filled) return { backgroundColor: variable(filled), color: 'var(--raised)' };
  const written = colour ?? (isDim === true ? 'grey' : undefined);
  return written ? { color: variable(written) } : {};
}

function variable(colour: TerminalColour): string {
  return `var(--terminal-${colour})`;
}
