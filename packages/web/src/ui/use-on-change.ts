// Runs something when a value changes, but not for the value it starts with.
import { useEffect, useRef } from 'react';

export function useOnChange(values: readonly unknown[], run: () => void): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) run();
    isFirst.current = false;
    // Only when a value changes, whatever else `run` uses.
  }, values);
}
