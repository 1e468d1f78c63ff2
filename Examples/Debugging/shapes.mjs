export function area(shape) {
  const result = shape.width * shape.height;
  return result;
}
