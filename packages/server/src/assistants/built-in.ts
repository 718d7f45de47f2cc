// The assistants that every Parley has.
import type { Assistant } from '../domain/assistant.ts';
import { notes } from './notes.ts';

export const builtInAssistants: readonly Assistant[] = [notes];
