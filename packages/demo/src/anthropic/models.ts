// The models that `GET /v1/models` lists. Clients know these names and find prices and limits for them.
type Model = {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
};

const models: readonly Model[] = [
  model('claude-opus-5-5', 'Claude Opus 5.5', '2026-06-01'),
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', '2026-06-01'),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', '2026-06-01'),
  model('claude-opus-4-5-20251101', 'Claude Opus 4.5', '2025-11-01'),
  model('claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5', '2025-09-29'),
  model('claude-haiku-4-5-20251001', 'Claude Haiku 4.5', '2025-10-01'),
];

export function findModel(id: string): Model | undefined {
  return models.find((known) => known.id === id);
}

export function modelPage(): object {
  return {
    data: models,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    has_more: false,
  };
}

function model(id: string, name: string, day: string): Model {
  return { type: 'model', id, display_name: name, created_at: `${day}T00:00:00Z` };
}
