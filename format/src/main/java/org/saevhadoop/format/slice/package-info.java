/**
 * Parts of tensors. {@link org.saevhadoop.format.slice.TensorSlice} finds the bytes of a part of a
 * tensor that was cut out along its leading dimensions, whatever format the tensor is stored in.
 */
package org.saevhadoop.format.slice;
