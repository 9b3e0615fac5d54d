/**
 * Files written by torch.save since torch 1.6. Tensors are read in place, without torch. Start with
 * {@link org.saevhadoop.format.torch.file.TorchReader}.
 *
 * <p>Such a file is a ZIP archive whose entries are in one folder and are not compressed. {@code
 * data.pkl} is a pickle of any object, in which each tensor is a call to {@code
 * _rebuild_tensor_v2(storage, offset, size, stride, ...)} ({@code TorchFunction}), and each storage
 * is a persistent id ({@code TorchGlobals}). The elements of a storage are in the entry {@code
 * data/<key>}; {@code byteorder}, since torch 2.1, is {@code little} or {@code big}. Tensors may
 * share a storage, overlap, and have strides in any order, including strides of zero.
 *
 * <p>Tensors are named by the keys and indexes of the containers around them ({@link
 * org.saevhadoop.format.arrays.pickled.PickledContent}); numbers, strings and booleans are returned
 * as values. Objects that are not read are named in a warning, or in the error if no tensor is
 * left: complex and quantized tensors, views with a conj or neg bit, numpy arrays, byte strings,
 * and long strings. A wrong CRC-32 of the pickle also causes a warning: torch.load ignores the
 * CRC-32, and after {@code set_crc32_options(False)}, torch 2.6 writes another number in its place.
 * The CRC-32 of the storages is not checked here.
 *
 * <p>Guarantees: nothing is executed. Any class or function that is not in {@code TorchFunction},
 * {@code TorchType} or {@code TorchGlobals}, and that {@link
 * org.saevhadoop.format.pickle.read.PickleReader} does not allow, becomes an {@link
 * org.saevhadoop.format.pickle.read.OpaqueObject}: objects of users' classes, modules, and sparse,
 * nested and meta tensors are named in a warning and left out with their content, or named in the
 * error if no tensor is left. All elements of a tensor are in the entry of its storage. Memory and
 * time are limited for any file, by {@link org.saevhadoop.format.pickle.value.PickleLimits} and by
 * limits of 2^22 objects, 2^18 tensors of at most 16 dimensions, 2^16 values, and 500 nested
 * containers; a container that contains itself is refused, and a container that occurs several
 * times is listed each time.
 *
 * <p>Sources: {@code _save} and {@code _load} in torch/serialization.py, torch/_utils.py, {@code
 * __reduce_ex__} in torch/_tensor.py and torch/nn/parameter.py, torch/storage.py (storage classes),
 * and caffe2/serialize/inline_container.cc (the archive) in torch 1.13 and 2.9.
 */
@Internal
@NullMarked
package org.saevhadoop.format.torch.file;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
