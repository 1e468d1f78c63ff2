import { area } from "./shapes.mjs";

const shapes = [
  { name: "square", width: 2, height: 2 },
  { name: "banner", width: 9, height: 1 },
];

let total = 0;
for (const shape of shapes) {
  total += area(shape);
  console.log(`${shape.name}: ${total}`);
}
