// The app as a whole: who is here, and which page they see.
export function App() {
  return <main className="p-8">Parley</main>;
}
