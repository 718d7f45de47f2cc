export * from './content.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './ids.ts';
export * from './notes-wire.ts';
export * from './permission.ts';
export * from './session.ts';
export * from './usage.ts';
