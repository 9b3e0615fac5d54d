/**
 * The torch.save format. {@link org.saevhadoop.format.torch.TorchFormat} is an {@link
 * org.saevhadoop.format.arrays.format.ArrayFormat} whose files {@link
 * org.saevhadoop.format.torch.file.TorchReader} reads.
 *
 * <p>Guarantees: nothing in a file is executed; objects of classes that are not needed for tensors
 * are left out with a warning. Tensors are read in place, with any strides and offsets.
 *
 * <p>The model is recorded as {@code unknown} unless the user specifies it.
 *
 * <p>Sources: torch/serialization.py and torch/_utils.py in PyTorch.
 */
@Internal
@NullMarked
package org.saevhadoop.format.torch;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
