# A day in which the app decides, and some hours of a batch, in Julia. ccall needs no shim.
#
#   julia Tests/c/day.jl libloopsimc.so SCENARIO
#
# Julia is not in Debian. Tests/python/test_header.py holds every call against loopsim.h.
const library = ARGS[1]

"Ends with the sentence of the last failed call, unless the code is that of success."
function check(code::Int32)
    code == 0 && return
    text = zeros(UInt8, 1024)
    @ccall library.loopsim_error(text::Ptr{UInt8}, length(text)::Csize_t, C_NULL::Ptr{Csize_t})::Int32
    println(stderr, unsafe_string(pointer(text)))
    exit(Int(code))
end

"The answer to a message of a session."
function exchange(session, message)
    text = Ref{Int64}(0)
    check(@ccall library.loopsim_exchange(session::Int64, message::Cstring, sizeof(message)::Csize_t, text::Ref{Int64})::Int32)
    data, count = Ref{Ptr{UInt8}}(C_NULL), Ref{Csize_t}(0)
    check(@ccall library.loopsim_bytes(text[]::Int64, data::Ref{Ptr{UInt8}}, count::Ref{Csize_t})::Int32)
    answer = unsafe_string(data[], count[])
    check(@ccall library.loopsim_close(text[]::Int64)::Int32)
    answer
end

"A column of a run that is over; the numbers are copied, as their handle is closed."
function column(session, run, table, name)
    numbers, data, count = Ref{Int64}(0), Ref{Ptr{Float64}}(C_NULL), Ref{Csize_t}(0)
    check(@ccall library.loopsim_column(session::Int64, run::Cstring, table::Cstring, name::Cstring, numbers::Ref{Int64}, data::Ref{Ptr{Float64}}, count::Ref{Csize_t})::Int32)
    values = copy(unsafe_wrap(Array, data[], Int(count[])))
    check(@ccall library.loopsim_close(numbers[]::Int64)::Int32)
    values
end

@assert (@ccall library.loopsim_abi()::UInt32) == 2
session = Ref{Int64}(0)
check(@ccall library.loopsim_open(session::Ref{Int64})::Int32)
request = "{\"scenario\":\"$(ARGS[2])\"}"

# Two members that get the schedule and a little more for every mg/dL above 110.
batch, shape = Ref{Int64}(0), zeros(Int64, 5)
check(@ccall library.loopsim_batch(session[]::Int64, request::Cstring, sizeof(request)::Csize_t, 2::Int64, batch::Ref{Int64})::Int32)
check(@ccall library.loopsim_batch_shape(batch[]::Int64, shape::Ptr{Int64})::Int32)
members, actions, width, truths, cycles = shape
seen, truth, ends = zeros(width, members), zeros(truths, members), zeros(UInt8, members)
check(@ccall library.loopsim_batch_reset(batch[]::Int64, C_NULL::Ptr{UInt8}, UInt64[7, 8]::Ptr{UInt64}, seen::Ptr{Float64})::Int32)
steps = 0
while any(ends .== 0)
    commands = zeros(actions, members)
    commands[1, :] = max.(0, seen[6, :] .+ 0.01 .* (seen[1, :] .- 110))
    check(@ccall library.loopsim_batch_step(batch[]::Int64, commands::Ptr{Float64}, seen::Ptr{Float64}, ends::Ptr{UInt8}, truth::Ptr{Float64})::Int32)
    global steps += 1
end
println("$steps steps of $members members, true glucose $(round(truth[1, 1]; digits=1)) and $(round(truth[1, 2]; digits=1)) mg/dL")

exchange(session[], "{\"type\":\"reset\",\"scenario\":\"$(ARGS[2])\",\"answers\":[]}")
exchange(session[], "{\"type\":\"advance\",\"run\":\"r1\",\"through\":\"2100-01-01T00:00:00Z\"}")
glucose = column(session[], "r1", "timeline", "glucose_true_mgdL")
println("$(length(glucose)) rows, mean true glucose $(round(sum(glucose) / length(glucose); digits=1)) mg/dL")
check(@ccall library.loopsim_close(batch[]::Int64)::Int32)
check(@ccall library.loopsim_close(session[]::Int64)::Int32)
@assert (@ccall library.loopsim_open_handles()::Int64) == 0
