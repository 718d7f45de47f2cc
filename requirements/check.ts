// The rules between requirements and tests: what is promised is proven or marked pending, and nothing else is cited.
import type { Citation } from './citations.ts';
import type { Requirement } from './requirement.ts';

const areas: Readonly<Record<Requirement['seed'], string>> = {
  1: 'notes',
  2: 'code',
  3: 'kitchen',
  4: 'channels',
  5: 'driver',
};

/** Every problem as a sentence; none means that the map is right. */
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

/** Headings that no requirement comes from, and requirements whose heading is not in the specification. */
export function checkHeadings(
  requirements: readonly Requirement[],
  headings: Readonly<Record<Requirement['seed'], readonly string[]>>,
): string[] {
  const known = Object.entries(headings).flatMap(([seed, list]) => list.map((text) => `${seed}: ${text}`));
  const used = new Map(requirements.map(({ id, seed, heading }) => [`${seed}: ${heading}`, id]));
  return [
    ...[...used]
      .filter(([heading]) => !known.includes(heading))
      .map(([heading, id]) => `${id} names the unknown heading "${heading}"`),
    ...known
      .filter((heading) => !used.has(heading))
      .map((heading) => `no requirement comes from "${heading}"`),
  ];
}

function malformed({ id, seed, promise }: Requirement): string[] {
  const problems: string[] = [];
  if (!/^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*){1,3}$/.test(id))
    problems.push(`${id} is not lower-case words with dots`);
  if (!id.startsWith(`${areas[seed]}.`)) problems.push(`${id} does not begin with ${areas[seed]}.`);
  if (!/^\S.*[.:]$/.test(promise)) problems.push(`${id} promises no whole sentence`);
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
