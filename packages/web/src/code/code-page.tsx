// Sessions of the `claude` program.
export function CodePage() {
  return <main className="p-8">Claude Code</main>;
}
