import { generate } from 'lean-qr/nano';
import { systemName } from '#shared/house.ts';

export interface ReceiptPicture {
  status: { text: string; tone: 'green' | 'yellow' | 'red' | 'grey' };
  amount: string;
  /** What happened to the amount. */
  detail: string | undefined;
  /** The route of the money, and its progress from 0 to 1. */
  route: { from: string; to: string; share: number } | undefined;
  facts: readonly (readonly [label: string, value: string])[];
  /** The address in the QR code, and the text beside it. */
  verify: { url: string; text: string } | undefined;
}

const WIDTH = 720;
const MARGIN = 48;
const ROW = 62;
const BAND = 392;
const QR = 232;
const FONT = 'Figtree, system-ui, Roboto, sans-serif';
// The picture is shared with others, so it is light in every theme.
const INK = '#0e1621';
const INK2 = '#414d5c';
const LINE = '#d8dee6';
const PRIMARY = '#0b4f9e';
const ON_BAND = '#d5e4f6';
const TONES = {
  green: ['#e2f3e9', '#0b5530'],
  yellow: ['#fff1cf', '#6b4200'],
  red: ['#fdeae8', '#8f1b12'],
  grey: ['#edf0f4', '#414d5c'],
} as const;

type Pen = CanvasRenderingContext2D;

/** The receipt as a PNG, for apps that show pictures. Throws where the browser cannot draw one. */
export async function drawReceipt(picture: ReceiptPicture): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = BAND + 24 + picture.facts.length * ROW + (picture.verify ? QR + 84 : 24);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser has no 2D canvas');
  await document.fonts?.ready;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  drawBand(pen, picture);
  if (picture.route) drawRoute(pen, picture.route, TONES[picture.status.tone]);
  picture.facts.forEach(([label, value], index) => {
    drawFact(pen, BAND + 12 + index * ROW, label, value);
  });
  if (picture.verify) drawVerify(pen, BAND + 48 + picture.facts.length * ROW, picture.verify);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas produced no PNG'))), 'image/png');
  });
}

function write(pen: Pen, text: string, at: [x: number, y: number], style: { font: string; colour: string }): void {
  pen.font = `${style.font} ${FONT}`;
  pen.fillStyle = style.colour;
  pen.fillText(text, ...at);
}

/** The coloured head: whose receipt it is, how it ended, and the amount. */
function drawBand(pen: Pen, { status, amount, detail }: ReceiptPicture): void {
  pen.fillStyle = PRIMARY;
  pen.fillRect(0, 0, WIDTH, BAND);
  drawLogo(pen);
  pen.textBaseline = 'middle';
  write(pen, systemName(), [MARGIN + 58, 67], { font: '700 34px', colour: '#fff' });
  drawStatus(pen, status);
  pen.textAlign = 'center';
  write(pen, amount, [WIDTH / 2, 184], { font: `700 ${fitted(pen, amount, 700, 72)}px`, colour: '#fff' });
  if (detail) write(pen, detail, [WIDTH / 2, 246], { font: `500 ${fitted(pen, detail, 500, 28)}px`, colour: ON_BAND });
}

function drawLogo(pen: Pen): void {
  pen.fillStyle = '#fff';
  pen.beginPath();
  pen.roundRect(MARGIN, 44, 44, 44, 11);
  pen.fill();
  pen.strokeStyle = PRIMARY;
  pen.lineWidth = 5.5;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.beginPath();
  pen.moveTo(MARGIN + 11, 57);
  pen.lineTo(MARGIN + 22, 75);
  pen.lineTo(MARGIN + 33, 57);
  pen.stroke();
}

function drawStatus(pen: Pen, { text, tone }: ReceiptPicture['status']): void {
  const [box, ink] = TONES[tone];
  const word = text.charAt(0) + text.slice(1).toLowerCase();
  pen.font = `600 24px ${FONT}`;
  const width = pen.measureText(word).width + 44;
  pen.fillStyle = box;
  pen.beginPath();
  pen.roundRect(WIDTH - MARGIN - width, 44, width, 46, 23);
  pen.fill();
  pen.textAlign = 'center';
  write(pen, word, [WIDTH - MARGIN - width / 2, 68], { font: '600 24px', colour: ink });
}

/** The two shores, and the money on its way between them. */
function drawRoute(
  pen: Pen,
  { from, to, share }: NonNullable<ReceiptPicture['route']>,
  [dot]: readonly string[],
): void {
  const [left, right, y] = [MARGIN + 3, WIDTH - MARGIN - 13, 344];
  const at = left + (right - left) * share;
  pen.textAlign = 'left';
  write(pen, from, [MARGIN, 304], { font: '500 24px', colour: ON_BAND });
  pen.textAlign = 'right';
  write(pen, to, [WIDTH - MARGIN, 304], { font: '500 24px', colour: ON_BAND });
  for (const [end, colour] of [
    [right, '#ffffff4d'],
    [at, dot ?? '#fff'],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = 6;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(end, y);
    pen.stroke();
  }
  pen.fillStyle = dot ?? '#fff';
  pen.beginPath();
  pen.arc(at, y, 14, 0, 2 * Math.PI);
  pen.fill();
  if (share === 1) drawCheck(pen, at, y);
}

/** The check in the dot of a delivered transfer. */
function drawCheck(pen: Pen, x: number, y: number): void {
  pen.strokeStyle = PRIMARY;
  pen.lineWidth = 4;
  pen.beginPath();
  pen.moveTo(x - 6, y + 1);
  pen.lineTo(x - 1, y + 6);
  pen.lineTo(x + 7, y - 4);
  pen.stroke();
}

/** The font size, up to `most` px, at which the text fits between the margins. */
function fitted(pen: Pen, text: string, weight: number, most: number): number {
  pen.font = `${weight} ${most}px ${FONT}`;
  return Math.min(most, Math.floor((most * (WIDTH - 2 * MARGIN)) / pen.measureText(text).width));
}

function drawFact(pen: Pen, top: number, label: string, value: string): void {
  pen.fillStyle = LINE;
  pen.fillRect(MARGIN, top + ROW, WIDTH - 2 * MARGIN, 1.5);
  const middle = top + ROW / 2 + 2;
  pen.textAlign = 'left';
  write(pen, label, [MARGIN, middle], { font: '400 24px', colour: INK2 });
  const room = WIDTH - 2 * MARGIN - pen.measureText(label).width - 24;
  pen.textAlign = 'right';
  pen.font = `500 24px ${FONT}`;
  const size = Math.min(24, Math.floor((24 * room) / pen.measureText(value).width));
  write(pen, value, [WIDTH - MARGIN, middle], { font: `500 ${size}px`, colour: INK });
}

function drawVerify(pen: Pen, top: number, { url, text }: { url: string; text: string }): void {
  const code = generate(url);
  const module = Math.floor(QR / code.size);
  pen.fillStyle = '#000';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) pen.fillRect(MARGIN + x * module, top + y * module, module, module);
    }
  }
  pen.textAlign = 'left';
  const left = MARGIN + code.size * module + 32;
  wrap(pen, text, WIDTH - MARGIN - left).forEach((line, index) => {
    write(pen, line, [left, top + 20 + index * 34], { font: '400 24px', colour: INK2 });
  });
  write(pen, new URL(url).host, [left, top + code.size * module - 16], { font: '600 26px', colour: PRIMARY });
}

function wrap(pen: Pen, text: string, width: number): string[] {
  pen.font = `400 24px ${FONT}`;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
