// What was used and what it cost, and how the parts of the server are.
export function OverviewPage() {
  return <main className="p-8">Overview</main>;
}
