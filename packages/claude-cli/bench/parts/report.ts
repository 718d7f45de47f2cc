// All benchmarks of the repository share one report format.
export { type Figure, percentile, report } from '../../../../bench/report.ts';
