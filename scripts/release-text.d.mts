export function releaseChangelog(text: string, version: string, day: string): string;
export function notesOf(text: string, version: string): string | undefined;
export function withVersion(text: string, version: string): string;
export function isLater(version: string, than: string): boolean;
export function signArguments(key: string, file: string): string[];
