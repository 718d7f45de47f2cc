// When something was said: the time, with the day unless it is today. The exact time is a tooltip.
import { moment } from '../../ui/amounts.ts';
import { dayAndTime } from '../times.ts';

export function Moment({ at }: { at: number }) {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={dayAndTime(at)}
      className="whitespace-nowrap text-faint text-xs tabular-nums"
    >
      {moment(at, new Date())}
    </time>
  );
}
