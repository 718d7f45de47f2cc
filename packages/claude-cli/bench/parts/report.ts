// One form of report for all benchmarks of the repository.
export { type Figure, percentile, report } from '../../../../bench/report.ts';
