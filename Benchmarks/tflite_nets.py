#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks as TFLite files.

  tflite_nets.py small FOLDER
      Writes the fixtures of Tests/Vision/InferenceTests/TFLiteTests.swift. The file small.tflite
      has 32-bit floats, small-f16.tflite has weights of 16 bits. The file small-u8.tflite is quantised throughout,
      small-u8-map.tflite only in its first layer.

  tflite_nets.py squeezenet ONNX FOLDER
      Writes the catalogue's SqueezeNet from its ONNX file: squeezenet.tflite, squeezenet-f16.tflite, and a catalogue
      of the two

The script makes an environment on its first run.
"""
import argparse, os

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ['flatbuffers==25.12.19', 'numpy', 'onnx==1.23.2', 'tflite==2.18.0']


def sixteenths(first, shape):
    """Weights: whole sixteenths from -9 to 9, which every type has exactly."""
    import numpy
    count = int(numpy.prod(shape))
    return (((numpy.arange(count) + first) * 37 + 11) % 19 - 9).reshape(shape)


class SmallNet:
    """A small network over an 8x8 picture.

    It has a depthwise convolution with uneven padding, a convolution of 1x1, an average, a fully connected layer and a
    softmax.
    """

    # The value of one step, and the stored number for zero. The outputs of each layer lie between 0 and 6.
    picture, layer, result = (1 / 128, 128), (6 / 255, 0), (1 / 256, 0)

    def __init__(self, kind):
        from tflite_file import TFLiteFile
        self.kind, self.file = kind, TFLiteFile()

    def values(self, shape, scale_and_zero, name=None):
        if self.kind == 'uint8':
            return self.file.tensor(shape, 'uint8', quantised=scale_and_zero, name=name)
        return self.file.tensor(shape, name=name)

    def weights(self, first, shape):
        whole = sixteenths(first, shape)
        if self.kind == 'uint8':
            return self.file.tensor(shape, 'uint8', whole + 128, (1 / 16, 128))
        stored = self.file.tensor(shape, self.kind, whole / 16)
        if self.kind == 'float32':
            return stored
        return self.file.add('DEQUANTIZE', [stored], self.file.tensor(shape), 'DequantizeOptions')

    def bias(self, first, count, step):
        """`step`: of the layer's input times that of its weights, which is what TFLite stores biases in."""
        whole = sixteenths(first, [count])
        if self.kind == 'uint8':
            return self.file.tensor([count], 'int32', (whole / 16 / step).round(), (step, 0))
        return self.file.tensor([count], 'float32', whole / 16)

    def write(self, path, first_layer_only=False):
        import tflite
        relu6, none = tflite.ActivationFunctionType.RELU6, tflite.ActivationFunctionType.NONE
        file = self.file
        picture = self.values([1, 8, 8, 3], self.picture, 'picture')
        value = file.add(
            'DEPTHWISE_CONV_2D', [picture, self.weights(0, [1, 3, 3, 3]), self.bias(100, 3, self.picture[0] / 16)],
            self.values([1, 4, 4, 3], self.layer), 'DepthwiseConv2DOptions', Padding=tflite.Padding.SAME, StrideW=2, StrideH=2,
            DepthMultiplier=1, FusedActivationFunction=relu6, DilationWFactor=1, DilationHFactor=1)
        if first_layer_only:
            file.write(path, picture, value)
            return
        value = file.add(
            'CONV_2D', [value, self.weights(200, [5, 1, 1, 3]), self.bias(300, 5, self.layer[0] / 16)],
            self.values([1, 4, 4, 5], self.layer), 'Conv2DOptions', Padding=tflite.Padding.VALID, StrideW=1, StrideH=1,
            FusedActivationFunction=relu6, DilationWFactor=1, DilationHFactor=1)
        value = file.add(
            'AVERAGE_POOL_2D', [value], self.values([1, 1, 1, 5], self.layer), 'Pool2DOptions', Padding=tflite.Padding.VALID,
            StrideW=1, StrideH=1, FilterWidth=4, FilterHeight=4, FusedActivationFunction=none)
        value = file.add(
            'RESHAPE', [value, file.tensor([2], 'int32', [1, 5])], self.values([1, 5], self.layer), 'ReshapeOptions',
            NewShape=file.numbers([1, 5], 'int32'))
        value = file.add(
            'FULLY_CONNECTED', [value, self.weights(400, [4, 5]), self.bias(500, 4, self.layer[0] / 16)],
            self.values([1, 4], (16 / 255, 128)), 'FullyConnectedOptions', FusedActivationFunction=none)
        value = file.add('SOFTMAX', [value], self.values([1, 4], self.result, 'shares'), 'SoftmaxOptions', Beta=1.0)
        file.write(path, picture, value)


def attribute(node, name, otherwise):
    return next((list(found.ints) or found.i for found in node.attribute if found.name == name), otherwise)


def write_squeezenet(source, path, kind):
    """Converts the operators of SqueezeNet, and no others.

    Layout and weights become NHWC. Padding becomes a layer of its own. A ReLU becomes part of its convolution.
    """
    import numpy, onnx, onnx.numpy_helper, tflite
    from tflite_file import TFLiteFile
    graph = onnx.load(source).graph
    constants = {tensor.name: onnx.numpy_helper.to_array(tensor).astype('float32') for tensor in graph.initializer}
    file, values = TFLiteFile(), {}
    picture = file.tensor([1, 224, 224, 3], name='data')
    values[next(entry.name for entry in graph.input if entry.name not in constants)] = picture

    def weights(data):
        stored = file.tensor(data.shape, kind, data)
        return stored if kind == 'float32' else file.add('DEQUANTIZE', [stored], file.tensor(data.shape), 'DequantizeOptions')

    def padded(value, node, filler):
        top, left, bottom, right = attribute(node, 'pads', [0] * 4)
        if not any((top, left, bottom, right)):
            return value
        by = [[0, 0], [top, bottom], [left, right], [0, 0]]
        shape = [size + sum(both) for size, both in zip(file.shapes[value], by)]
        inputs = [value, file.tensor([4, 2], 'int32', by), file.tensor([], data=[filler])]
        return file.add('PADV2', inputs, file.tensor(shape), 'PadV2Options')

    def windows(value, kernel, strides):
        _, rows, columns, _ = file.shapes[value]
        return (rows - kernel[0]) // strides[0] + 1, (columns - kernel[1]) // strides[1] + 1

    for node in graph.node:
        first = values[node.input[0]]
        strides = attribute(node, 'strides', [1, 1])
        if node.op_type == 'Conv':
            kernel = constants[node.input[1]].transpose(0, 2, 3, 1)
            value = padded(first, node, 0)
            shape = [1, *windows(value, kernel.shape[1:3], strides), kernel.shape[0]]
            inputs = [value, weights(kernel), file.tensor([kernel.shape[0]], data=constants[node.input[2]])]
            value = file.add(
                'CONV_2D', inputs, file.tensor(shape), 'Conv2DOptions', Padding=tflite.Padding.VALID, StrideW=strides[1],
                StrideH=strides[0], DilationWFactor=1, DilationHFactor=1)
        elif node.op_type == 'Relu':
            value = file.add('RELU', [first], file.tensor(file.shapes[first]))
        elif node.op_type == 'MaxPool':
            kernel = attribute(node, 'kernel_shape', None)
            value = padded(first, node, float(numpy.finfo('float32').min))
            shape = [1, *windows(value, kernel, strides), file.shapes[value][3]]
            value = file.add(
                'MAX_POOL_2D', [value], file.tensor(shape), 'Pool2DOptions', Padding=tflite.Padding.VALID, StrideW=strides[1],
                StrideH=strides[0], FilterWidth=kernel[1], FilterHeight=kernel[0])
        elif node.op_type == 'Concat':
            parts = [values[name] for name in node.input]
            shape = file.shapes[first][:3] + [sum(file.shapes[part][3] for part in parts)]
            value = file.add('CONCATENATION', parts, file.tensor(shape), 'ConcatenationOptions', Axis=3)
        elif node.op_type == 'Dropout':
            value = first
        elif node.op_type == 'GlobalAveragePool':
            inputs = [first, file.tensor([2], 'int32', [1, 2])]
            value = file.add('MEAN', inputs, file.tensor([1, file.shapes[first][3]]), 'ReducerOptions', KeepDims=False)
        elif node.op_type == 'Softmax':
            value = file.add('SOFTMAX', [first], file.tensor(file.shapes[first]), 'SoftmaxOptions', Beta=1.0)
        else:
            raise SystemExit(f'{source}: {node.op_type} is no operator of SqueezeNet')
        values[node.output[0]] = value
    file.write(path, picture, values[graph.output[0].name])


CATALOGUE = '''[{name}]
kind = "classifier"
network.file = "{name}.tflite"
input = {{ width = 224, height = 224, colour = "bgr", layout = "nhwc", mean = [104, 117, 123] }}
decoder = {{ type = "softmax" }}
labels = {{ file = "imagenet_synset.txt", format = "synset" }}

'''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    commands.add_parser('small').add_argument('folder')
    squeezenet = commands.add_parser('squeezenet')
    squeezenet.add_argument('onnx')
    squeezenet.add_argument('folder')
    options = parser.parse_args()
    environment.continue_in(os.path.join(HERE, '.build', 'tflite'), PACKAGES)

    os.makedirs(options.folder, exist_ok=True)
    if options.command == 'small':
        for name, kind in [('small', 'float32'), ('small-f16', 'float16'), ('small-u8', 'uint8')]:
            SmallNet(kind).write(os.path.join(options.folder, name + '.tflite'))
        SmallNet('uint8').write(os.path.join(options.folder, 'small-u8-map.tflite'), first_layer_only=True)
        return
    with open(os.path.join(options.folder, 'tflite.toml'), 'w', encoding='utf-8') as catalogue:
        for name, kind in [('squeezenet-tflite', 'float32'), ('squeezenet-tflite-f16', 'float16')]:
            write_squeezenet(options.onnx, os.path.join(options.folder, name + '.tflite'), kind)
            catalogue.write(CATALOGUE.format(name=name))


if __name__ == '__main__':
    main()
