import styles from "./sign-in.module.css";
/** The picture beside the sign-in form: lanterns over water at dusk, drawn here so that nothing is fetched. */

interface Lantern {
  x: number;
  y: number;
  size: number;
  hue: "red" | "gold";
  delay: number;
}

const LANTERNS: readonly Lantern[] = [
  { x: 150, y: 190, size: 62, hue: "red", delay: 0 },
  { x: 330, y: 120, size: 40, hue: "gold", delay: -2 },
  { x: 470, y: 250, size: 74, hue: "red", delay: -4 },
  { x: 610, y: 130, size: 34, hue: "red", delay: -1 },
  { x: 270, y: 360, size: 34, hue: "gold", delay: -3 },
  { x: 640, y: 390, size: 44, hue: "gold", delay: -5 },
];

export function LanternScene() {
  return (
    <svg viewBox="0 0 760 900" preserveAspectRatio="xMidYMid slice">
      <defs>
        <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#141a26" />
          <stop offset="0.55" stopColor="#2b2533" />
          <stop offset="0.72" stopColor="#5a3034" />
          <stop offset="0.725" stopColor="#241f2b" />
          <stop offset="1" stopColor="#10131b" />
        </linearGradient>
        <radialGradient id="red">
          <stop offset="0" stopColor="#f6a06a" />
          <stop offset="0.55" stopColor="#c8382f" />
          <stop offset="1" stopColor="#8d1f22" />
        </radialGradient>
        <radialGradient id="gold">
          <stop offset="0" stopColor="#ffe2a0" />
          <stop offset="0.6" stopColor="#dc9a3c" />
          <stop offset="1" stopColor="#9c5f1c" />
        </radialGradient>
        <radialGradient id="glow">
          <stop offset="0.35" stopColor="#ff9d5c" stopOpacity="0.34" />
          <stop offset="0.6" stopColor="#ff9d5c" stopOpacity="0.12" />
          <stop offset="0.82" stopColor="#ff9d5c" stopOpacity="0.03" />
          <stop offset="1" stopColor="#ff9d5c" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width="760" height="900" fill="url(#dusk)" />
      <path d="M0 652 C90 596 150 604 214 640 S344 566 424 606 560 640 620 596 712 604 760 630 V652Z" fill="#1a1a26" />
      {LANTERNS.map((lantern) => (
        <g key={`${lantern.x}`} className={styles.signinLantern} style={{ animationDelay: `${lantern.delay}s`, transformOrigin: `${lantern.x}px 0px` }}>
          <Hanging {...lantern} />
        </g>
      ))}
      <g opacity="0.5">
        {LANTERNS.map((lantern) => (
          <ellipse
            key={`${lantern.x}`}
            cx={lantern.x}
            cy={700 + lantern.y / 3}
            rx={lantern.size * 0.7}
            ry={lantern.size * 0.1}
            fill={lantern.hue === "red" ? "#b8443a" : "#c98f43"}
            opacity={0.55}
          />
        ))}
      </g>
      <g stroke="#ffffff" strokeOpacity="0.07" strokeWidth="2">
        <path d="M60 700h180M300 736h260M120 784h140M430 806h240M40 850h220M330 870h150" />
      </g>
    </svg>
  );
}

function Hanging({ x, y, size, hue }: Lantern) {
  const half = size * 0.82;
  const ribs = [-0.55, -0.2, 0.2, 0.55];
  return (
    <>
      <path d={`M${x} 0V${y - half}`} stroke="#6d5a58" strokeWidth="1.5" />
      <circle cx={x} cy={y} r={size * 2.6} fill="url(#glow)" />
      <rect x={x - size * 0.36} y={y - half - 7} width={size * 0.72} height="9" rx="3" fill="#7a5324" />
      <rect x={x - size * 0.36} y={y + half - 2} width={size * 0.72} height="9" rx="3" fill="#7a5324" />
      <ellipse cx={x} cy={y} rx={size} ry={half} fill={`url(#${hue})`} />
      {ribs.map((rib) => (
        <path
          key={rib}
          d={`M${x + rib * size * 0.4} ${y - half} Q${x + rib * size * 1.7} ${y} ${x + rib * size * 0.4} ${y + half}`}
          fill="none"
          stroke="#ffe7c2"
          strokeOpacity="0.28"
        />
      ))}
      <path d={`M${x - 5} ${y + half + 7}v${size * 0.6}M${x} ${y + half + 7}v${size * 0.75}M${x + 5} ${y + half + 7}v${size * 0.6}`} stroke="#c9892b" strokeWidth="1.6" />
    </>
  );
}
