// The rules for requirements and tests: a test cites each requirement that is not pending, and cites no other ids.
import type { Citation } from './citations.ts';
import type { Requirement } from './requirement.ts';

const areas: Readonly<Record<Requirement['spec'], string>> = {
  1: 'notes',
  2: 'code',
  3: 'kitchen',
  4: 'channels',
  5: 'driver',
  6: 'team',
  7: 'app',
  8: 'cluster',
  9: 'ops',
};

/** Returns each problem as a sentence. */
export function checkRequirements(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): string[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const cited = new Set(citations.map((citation) => citation.id));
  return [
    ...repeated(requirements.map((requirement) => requirement.id)).map((id) => `${id} is listed twice`),
    ...requirements.flatMap(malformed),
    ...citations.flatMap((citation) => wronglyCited(citation, byId.get(citation.id))),
    ...requirements
      .filter((requirement) => requirement.pending !== true && !cited.has(requirement.id))
      .map((requirement) => `${requirement.id} is not pending, but no test cites it`),
  ];
}

function malformed({ id, spec, promise }: Requirement): string[] {
  const problems: string[] = [];
  if (!/^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*){1,3}$/.test(id))
    problems.push(`${id} is not lowercase words separated by dots`);
  if (!id.startsWith(`${areas[spec]}.`)) problems.push(`${id} does not start with ${areas[spec]}.`);
  if (!/^\S.*\.$/.test(promise)) problems.push(`${id} does not promise a whole sentence`);
  return problems;
}

function wronglyCited(citation: Citation, requirement: Requirement | undefined): string[] {
  if (requirement === undefined) return [`${citation.file} cites ${citation.id}, which does not exist`];
  if (requirement.pending === true) {
    return [`${citation.file} cites ${citation.id}, which is still marked pending`];
  }
  return [];
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
