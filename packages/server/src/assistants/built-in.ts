// The built-in assistants.
import type { Assistant } from '../domain/assistant.ts';
import { kitchen } from './kitchen.ts';
import { notes } from './notes.ts';

export const builtInAssistants: readonly Assistant[] = [notes, kitchen];
