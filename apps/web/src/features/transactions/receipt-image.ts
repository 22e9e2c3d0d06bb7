import { generate } from 'lean-qr/nano';
import { systemName } from '#shared/house.ts';

export interface ReceiptPicture {
  status: { text: string; tone: 'green' | 'yellow' | 'red' | 'grey' };
  amount: string;
  facts: readonly (readonly [label: string, value: string])[];
  /** The address in the QR code, and the text beside it. */
  verify: { url: string; text: string } | undefined;
}

const WIDTH = 720;
const MARGIN = 48;
const ROW = 64;
const QR = 232;
const FONT = 'Figtree, system-ui, Roboto, sans-serif';
// The picture is shared with others, so it is light in every theme.
const INK = '#0e1621';
const INK2 = '#414d5c';
const LINE = '#d8dee6';
const PRIMARY = '#0b4f9e';
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
  canvas.height = 330 + picture.facts.length * ROW + (picture.verify ? QR + 72 : 24);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser has no 2D canvas');
  await document.fonts?.ready;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  drawHead(pen, picture);
  picture.facts.forEach(([label, value], index) => {
    drawFact(pen, 310 + index * ROW, label, value);
  });
  if (picture.verify) drawVerify(pen, 334 + picture.facts.length * ROW, picture.verify);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas produced no PNG'))), 'image/png');
  });
}

function write(pen: Pen, text: string, at: [x: number, y: number], style: { font: string; colour: string }): void {
  pen.font = `${style.font} ${FONT}`;
  pen.fillStyle = style.colour;
  pen.fillText(text, ...at);
}

function drawHead(pen: Pen, { status, amount }: ReceiptPicture): void {
  pen.fillStyle = PRIMARY;
  pen.beginPath();
  pen.roundRect(MARGIN, 44, 44, 44, 11);
  pen.fill();
  pen.strokeStyle = '#fff';
  pen.lineWidth = 5.5;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.beginPath();
  pen.moveTo(MARGIN + 11, 57);
  pen.lineTo(MARGIN + 22, 75);
  pen.lineTo(MARGIN + 33, 57);
  pen.stroke();
  pen.textBaseline = 'middle';
  write(pen, systemName(), [MARGIN + 58, 67], { font: '700 34px', colour: INK });
  pen.textAlign = 'center';
  const [box, ink] = TONES[status.tone];
  pen.font = `600 24px ${FONT}`;
  const width = pen.measureText(status.text).width + 48;
  pen.fillStyle = box;
  pen.beginPath();
  pen.roundRect((WIDTH - width) / 2, 130, width, 46, 23);
  pen.fill();
  write(pen, status.text, [WIDTH / 2, 154], { font: '600 24px', colour: ink });
  write(pen, amount, [WIDTH / 2, 232], { font: '700 64px', colour: INK });
}

function drawFact(pen: Pen, top: number, label: string, value: string): void {
  pen.fillStyle = LINE;
  pen.fillRect(MARGIN, top, WIDTH - 2 * MARGIN, 1.5);
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
