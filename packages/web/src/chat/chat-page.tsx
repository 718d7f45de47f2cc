// Conversations with an assistant.
export function ChatPage({ id }: { id: string | undefined }) {
  return <main className="p-8">{id ?? 'A new conversation'}</main>;
}
