// Who reloads the page wants to begin anew: the conversation that was open stays in the list. A link to a
// conversation, from a notification or after a new login, still leads there.
export function startFresh(basePath: string): void {
  const [load] = performance.getEntriesByType('navigation');
  const isReload = load instanceof PerformanceNavigationTiming && load.type === 'reload';
  if (isReload && location.pathname.startsWith(`${basePath}/chat/`)) {
    history.replaceState(null, '', `${basePath}/`);
  }
}
