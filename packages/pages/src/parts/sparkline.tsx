// How a figure went, as a small line that the server draws. A gap stays a gap. The figures themselves are on
// the page that the row leads to.
interface SparklineProps {
  /** Decimal texts, the oldest first; null where nothing is known. */
  readonly values: readonly (string | null)[];
  /** For who does not see it, such as `30 days`. */
  readonly title: string;
}

const width = 96;
const height = 24;

export function Sparkline({ values, title }: SparklineProps) {
  const known = values.flatMap((value) => (value === null ? [] : [Number(value)]));
  if (known.length < 2) return <span class="soft">–</span>;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => ((index / (values.length - 1)) * width).toFixed(1);
  const y = (value: string) =>
    (most === least
      ? height / 2
      : height - 2 - ((Number(value) - least) / (most - least)) * (height - 4)
    ).toFixed(1);
  const path = values.map((value, index) => {
    if (value === null) return '';
    return `${index === 0 || values[index - 1] === null ? 'M' : 'L'}${x(index)} ${y(value)}`;
  });
  return (
    <svg
      class="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={title}
    >
      <path d={path.join('')} fill="none" stroke="var(--accent)" stroke-width="1.5" />
    </svg>
  );
}
